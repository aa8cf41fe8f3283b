// Repairs the theme for a keyboard and a screen reader: a name for the search, and boxes that are wider than the screen.
document.querySelector('.md-search[role="dialog"]')?.setAttribute("aria-label", "Search");

const sizes = new ResizeObserver((changes) => {
  for (const { target } of changes) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
});

// The theme adds boxes around tables, and buttons to blocks of code, before this event.
addEventListener("load", () => {
  for (const buttons of document.querySelectorAll(".md-code__nav")) buttons.setAttribute("role", "none");
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, p:has(> img), pre > code")) sizes.observe(box);
});

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

// In the picture of a terminal, the typed answer to a question stands out, and a plan has the colours of the program. No
// line ends inside a word such as --app.
for (const line of document.querySelectorAll(".highlight .go")) {
  const [, question, answer] = /^(.*(?:\[y\/N\]|server:) )(\S+)$/.exec(line.textContent) ?? [];
  if (answer) line.replaceChildren(question, Object.assign(document.createElement("b"), { textContent: answer }));
  line.classList.toggle("row", /\S {2}/.test(line.textContent));
  if (/^[+-] /.test(line.textContent)) line.classList.add(line.textContent.startsWith("+") ? "gi" : "gd");
}
for (const code of document.querySelectorAll(".highlight:has(.gp) code")) {
  for (const word of [...code.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.includes("-"))) {
    word.replaceWith(Object.assign(document.createElement("i"), { textContent: word.data }));
  }
}

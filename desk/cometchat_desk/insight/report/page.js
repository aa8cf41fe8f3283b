"use strict";
// The table of messages: search, sort, pages. Every text enters the page as text, never as markup.
(() => {
  const SIZE = 50;
  const SHOWN = 300;
  const element = (id) => document.getElementById(id);
  const { columns, rows, terms } = JSON.parse(element("records").textContent);
  const texts = rows.map((row) => row.join("\n").toLowerCase());
  const collator = new Intl.Collator(undefined, { numeric: true });
  const [body, search, rule, status, state] = ["rows", "search", "rule", "status", "state"].map(element);
  const position = Object.fromEntries(columns.map((column, index) => [column.name, index]));
  let found = rows.map((_, index) => index);
  let page = 0;
  // The rows with the chosen term; null if all rows are shown.
  let chosen = null;

  const cell = (row, column, index) => {
    const made = document.createElement("td");
    if (column.name === "text") made.classList.add("text");
    made.dataset.head = column.head;
    const text = row[index];
    const part = (content) => {
      const isolated = document.createElement("bdi");
      isolated.textContent = content;
      return isolated;
    };
    if (text.length <= SHOWN) {
      made.append(part(text));
    } else {
      const details = document.createElement("details");
      const summary = document.createElement("summary");
      summary.append(part(`${text.slice(0, SHOWN)}…`));
      details.append(summary, part(text.slice(SHOWN)));
      made.append(details);
    }
    return made;
  };

  const show = () => {
    const pages = Math.max(1, Math.ceil(found.length / SIZE));
    page = Math.min(Math.max(page, 0), pages - 1);
    const first = page * SIZE;
    const shown = found.slice(first, first + SIZE);
    body.replaceChildren(
      ...shown.map((index) => {
        const line = document.createElement("tr");
        line.append(...columns.map((column, place) => cell(rows[index], column, place)));
        return line;
      }),
    );
    const count = found.length.toLocaleString("en");
    state.textContent = found.length
      ? `Messages ${(first + 1).toLocaleString("en")} to ${(first + shown.length).toLocaleString("en")} of ${count}`
      : "No message matches.";
    element("previous").disabled = page === 0;
    element("next").disabled = page >= pages - 1;
  };

  const order = () => {
    const head = document.querySelector("th[aria-sort]:not([aria-sort='none'])");
    if (!head) return;
    const index = position[head.dataset.column];
    const sign = head.getAttribute("aria-sort") === "ascending" ? 1 : -1;
    // Times are in ISO form and need no collation.
    const compare = head.dataset.column === "time" ? (a, b) => (a < b ? -1 : a > b ? 1 : 0) : collator.compare;
    found.sort((a, b) => sign * compare(rows[a][index], rows[b][index]) || a - b);
  };

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = [];
    rows.forEach((row, index) => {
      if (chosen && !chosen.has(index)) return;
      if (rule.value && row[position.rule] !== rule.value) return;
      if (status.value && row[position.status] !== status.value) return;
      if (words.every((word) => texts[index].includes(word))) found.push(index);
    });
    page = 0;
    order();
    show();
  };

  for (const [select, name] of [[rule, "rule"], [status, "status"]]) {
    const values = [...new Set(rows.map((row) => row[position[name]]))].sort(collator.compare);
    for (const value of values.filter(Boolean).slice(0, 500)) {
      const option = document.createElement("option");
      option.value = value;
      option.textContent = value;
      select.append(option);
    }
    select.addEventListener("change", filter);
  }
  let waiting;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 150);
  });
  element("form").addEventListener("submit", (event) => {
    event.preventDefault();
    filter();
  });
  for (const head of document.querySelectorAll("th[data-column]")) {
    head.querySelector("button").addEventListener("click", () => {
      const next = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      document.querySelectorAll("th[data-column]").forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", next);
      order();
      page = 0;
      show();
    });
  }
  const choose = (link) => {
    chosen = link && new Set(terms[link.dataset.term]);
    element("only").hidden = !link;
    element("term").textContent = link ? link.textContent : "";
    for (const field of [search, rule, status]) field.value = "";
    filter();
  };
  for (const link of document.querySelectorAll("a[data-term]")) link.addEventListener("click", () => choose(link));
  element("all").addEventListener("click", () => choose(null));
  element("previous").addEventListener("click", () => { page -= 1; show(); });
  element("next").addEventListener("click", () => { page += 1; show(); });
  show();
})();

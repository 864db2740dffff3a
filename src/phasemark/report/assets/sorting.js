// Sorting: a click on a table's heading, or Enter on it, orders its rows; what is not known comes last.

/** A cell, and by what it is ordered; a number, null where it is not known, or text. */
const cell = (content, key, attributes = {}) =>
  element("td", { ...attributes, ...(key === null || Number.isNaN(key) ? { "data-key": "" } : { "data-key": key }) }, ...[content].flat());

/** Makes the headings of a table buttons. Rows of class `full` keep their places. */
function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent) return;
    const button = element("button", { type: "button", class: "sort" }, ...head.childNodes);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "none" ? firstUp(table, column) : head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.hasAttribute("aria-sort") && other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      order(table.tBodies[0], column, up);
    });
    head.setAttribute("aria-sort", "none");
    head.replaceChildren(button);
  });
}

const keyOf = (row, column) => row.cells[column]?.dataset.key ?? "";
const isNumber = (key) => key !== "" && !Number.isNaN(Number(key));

/** Names begin with the first, numbers with the largest; but the column that numbers the rows with its first. */
function firstUp(table, column) {
  const keys = [...table.tBodies[0].rows].map((row) => keyOf(row, column)).filter((key) => key !== "");
  return column === 0 || !keys.every(isNumber);
}

function order(body, column, up) {
  const all = [...body.rows];
  const moved = all.filter((row) => !row.classList.contains("full"));
  const compare = (a, b) => (isNumber(a) && isNumber(b) ? a - b : a.localeCompare(b, "en"));
  const sorted = moved.map((row) => [keyOf(row, column), row]).sort(([a], [b]) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    return up ? compare(a, b) : compare(b, a);
  });
  let next = 0;
  body.replaceChildren(...all.map((row) => (row.classList.contains("full") ? row : sorted[next++][1])));
}

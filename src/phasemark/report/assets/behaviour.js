// Behaviour: what phases do with memory and branches, and in what those of the same code differ.

/** Per 1,000 instructions: two digits behind the point; 0 of what never happened. */
const rate = (x) => (x === null ? "–" : x ? x.toFixed(2) : "0");

const MOST_TIMES = 100; // beyond, how many times as many is no better than the two numbers

const factor = (ratio) => ratio.toFixed(ratio >= 10 ? 0 : ratio >= 1 ? 1 : 2);

/** How many times as many: `3.6 ×`, or beside what the other has where one of both is next to nothing. */
function times(here, there) {
  const ratio = there ? here / there : Infinity;
  return ratio > MOST_TIMES || ratio < 1 / MOST_TIMES ? `${rate(here)}, there ${rate(there)}` : `${factor(ratio)} ×`;
}

/** The columns that have something to say of a phase. */
const telling = () => [...data.behaviour.columns.keys()].filter((i) => phases.some((p) => p.does.rates[i] >= 0.005));

/** In what a phase differs from one whose code it executes, in a few words for a table. */
const differs = (differences) => differences.map(([column, here, there]) => `${data.behaviour.columns[column].label} ${times(here, there)}`).join("; ") || "alike in memory and branches";

/** The same as a sentence. */
function sameCode({ other, common, differences }) {
  const said = differences.map(([column, here, there]) => {
    const { title } = data.behaviour.columns[column];
    const ratio = there ? here / there : Infinity;
    const much = ratio > MOST_TIMES ? "has" : ratio < 1 / MOST_TIMES ? "has next to no" : `has ${factor(ratio)} times the`;
    return `${much} ${title} (${rate(here)}, there ${rate(there)})`;
  });
  const but = said.length > 1 ? `${said.slice(0, -1).join(", ")}, and ${said.at(-1)}` : said[0];
  return `Executes the code of ${phaseTitle(other)} (${part(common)} in common), ${but ? `but ${but}` : "and is alike in memory and branches"}.`;
}

/** A card's numbers, beside those of the run. */
function behaviourOf({ rates }) {
  const { columns, run } = data.behaviour;
  return element("dl", { class: "measures four" }, ...telling().map((i) =>
    element("div", { title: `${columns[i].title}, per 1,000 instructions; in the whole run ${rate(run[i])}` }, element("dt", {}, columns[i].label), element("dd", {}, rate(rates[i])))));
}

/** Tints a cell by how much its phase has more or less than the run: a factor of eight is the strongest. */
function tinted(content, value, of) {
  const strong = value === null || Math.max(value, of) < 0.05 ? 0 : Math.max(-1, Math.min(1, Math.log2((value || 1e-9) / (of || 1e-9)) / 3));
  const made = cell(content, value);
  if (Math.abs(strong) > 0.1) {
    made.className = strong > 0 ? "more" : "less";
    made.style.setProperty("--strong", `${Math.round(38 * Math.abs(strong))}%`);
  }
  return made;
}

function fillBehaviour() {
  if (!data.behaviour) return;
  byId("behaviour-section").hidden = false;
  const { columns, run, remembered } = data.behaviour;
  const shown = telling();
  const alike = phases.some((p) => p.does.same);
  byId("behaviour-lead").textContent = `Per 1,000 instructions, whatever the machine: accesses to lines of data (and of code) after 32K, 256K, 2M and more of other data (code), as caches of that size would lack them; new: accesses to data never used before, or not for ${remembered} of other data; surprises: branches that what was before did not foretell. Orange is more than in the whole run, blue is less.`;
  const heads = [["phase", ""], ["share", "of the instructions"], ...shown.map((i) => [columns[i].label, columns[i].title]),
    ...(alike ? [["same code as", "the larger phase with which it has most code in common, at least 90 %; and in what they differ, by how many times"]] : [])];
  const rowOf = (first, held, rates, same, attributes) => element("tr", attributes, first, cell(part(held), held),
    ...shown.map((i) => tinted(rate(rates[i]), rates[i], run[i])), ...(alike ? [same] : []));
  const body = element("tbody", {},
    rowOf(cell("whole run", -1), 1, run, cell("", null), { class: "full" }),
    ...[...phases.keys()].sort((a, b) => phases[b].share - phases[a].share || a - b).map((phase) => {
      const { rates, same } = phases[phase].does;
      const said = same ? cell([swatch(same.other), `${phaseName(same.other)} (${part(same.common)}): ${differs(same.differences)}`], same.other, { class: "same" }) : cell("", null);
      const row = rowOf(cell([swatch(phase), phaseName(phase)], phase), phases[phase].share, rates, said, { tabindex: 0 });
      lights(row, phase);
      watch(() => row.classList.toggle("lit", litPhase() === phase));
      return row;
    }));
  byId("behaviour").append(element("thead", {}, element("tr", {}, ...heads.map(([text, title]) => element("th", { scope: "col", title, ...(text === "same code as" ? { class: "same" } : {}) }, text)))), body);
  sortable(byId("behaviour"));
}

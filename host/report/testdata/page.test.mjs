// Holds pages to what they promise, in a real browser without a network:
//   node page.test.mjs CHROMIUM DIR
// DIR has sample.html, large.html (20,000 rows), bare.html (no content),
// hostile-*.html, and comparisons: compare.html, compare-hostile-*.html. Prints a line for everything that is wrong, and fails then.
import { createRequire } from "node:module";
import { readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const { chromium } = createRequire(join(process.env.RUBRIC_HOST_PLAYWRIGHT, "node_modules", "x.js"))("playwright-core");
const [program, dir] = process.argv.slice(2);
let wrong = 0;
const check = (holds, what, ...seen) => {
  if (holds) return;
  wrong++;
  console.log("WRONG", what, ...seen.map((s) => JSON.stringify(s)));
};

const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });

// open opens a page under watch: it may not complain, leave, ask, or run what it
// shows.
const open = async (file, hash = "", options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  await context.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (e) => window.violations.push(e.violatedDirective + " " + e.blockedURI));
  });
  const page = await context.newPage();
  const name = file + hash;
  page.on("console", (m) => check(m.type() === "log" || m.type() === "info", name + " complains", m.text()));
  page.on("pageerror", (e) => check(false, name + " fails", e.message));
  page.on("dialog", (d) => { check(false, name + " asks", d.message()); d.dismiss(); });
  page.on("request", (r) => check(r.url().startsWith("file:") || r.url().startsWith("blob:"), name + " asks the network", r.url()));
  await page.goto(pathToFileURL(join(dir, file)).href + hash);
  await page.waitForSelector(file.startsWith("compare") ? "main" : "body[data-ready=true]", { timeout: 60_000 }); // comparisons have no script
  return page;
};
const ready = (page) => page.waitForSelector("body[data-ready=true]", { timeout: 60_000 });
const done = async (page, name) => {
  check((await page.evaluate(() => window.violations)).length === 0, name + " violates its policy", await page.evaluate(() => window.violations));
  check(!(await page.evaluate(() => window.pwned)), name + " ran what it shows");
  await page.context().close();
};
const count = (page) => page.textContent("#count");
const settles = async (page, what, test) => {
  for (let i = 0; i < 200; i++) {
    if (await test()) return;
    await page.waitForTimeout(50);
  }
  check(false, what, await count(page), await page.url());
};
const ids = (page) => page.$$eval("#list .row .id", (cells) => cells.map((c) => c.textContent));

{ // What a row shows, and what was cited in it.
  const page = await open("sample.html", "#case=q-0193");
  await page.waitForSelector("#detail:not([hidden])");
  const text = await page.textContent("#detail");
  for (const part of ["I have looked at your order", "When do I get my money back? (q-0193)", "Within 14 days.", "States that refunds take 30 days", "my answers.jsonl:7"]) check(text.includes(part), "the case does not show", part);
  check((await count(page)).endsWith(" cases"), "the count has no word", await count(page));
  check((await page.$$eval("#detail :is(.content, .pre, blockquote), #list .row .text", (all) => all.map((e) => getComputedStyle(e).unicodeBidi))).every((b) => b === "plaintext"), "Arabic and Hebrew are set from left to right");
  check((await page.textContent("#detail mark")) === "you will get the money within 30 days", "the citation is not marked", await page.textContent("#detail mark"));
  check((await page.getAttribute("#list .row[aria-selected=true]", "data-at")) !== null, "the case is not chosen in the list");
  const heads = await page.$$eval("#list .head .cell", (cells) => cells.map((c) => c.textContent));
  for (const name of ["accuracy", "tone", "rouge-l", "input", "output", "references"]) check(heads.includes(name), "no column", name);
  await done(page, "sample");
}
{ // Judge calls, and the earlier run beside.
  const page = await open("against.html", "#case=q-0193");
  await page.waitForSelector("#detail:not([hidden])");
  check((await page.textContent("#detail .call")).includes("Is every claim supported?") && (await page.textContent("#detail .call")).includes('{"met":false}'), "the judge's call is not shown", await page.textContent("#detail"));
  check((await page.textContent("#detail .pair del")) !== "" && (await page.$$("#detail .pair ins")).length > 0, "what changed is not marked");
  check((await page.textContent("#detail .facts")).includes("regressed"), "the change is not named", await page.textContent("#detail .facts"));
  await page.selectOption("#change", "=regressed");
  await settles(page, "the change filters", async () => (await ids(page)).includes("q-0193") && !(await ids(page)).includes("q-0001"));
  await done(page, "against");
}
{ // Search, filters, sorting, and the address that keeps them.
  const page = await open("sample.html", "#view=cases");
  const all = (await ids(page)).length;
  await page.keyboard.press("/");
  await page.keyboard.type("q-0193");
  await settles(page, "search finds one", async () => (await count(page)).startsWith("1 of "));
  check(page.url().includes("find=q-0193"), "the search is not in the address", page.url());
  await page.click("#clear");
  await settles(page, "clear shows all", async () => (await ids(page)).length === all);
  await page.fill("#find", "there-is-no-such-word");
  await settles(page, "search finds none", async () => (await count(page)).startsWith("0 of "));
  await page.fill("#find", '"looked at your" -q-0001');
  await settles(page, "a phrase and an exclusion", async () => { const list = await ids(page); return list.length === all - 2 && !list.includes("q-0001"); });
  await page.click("#clear");
  await page.selectOption("#verdict", "=FAIL");
  await settles(page, "the verdict filters", async () => { const n = (await ids(page)).length; return n > 0 && n < all; });
  await page.selectOption("#verdict", "");
  await page.selectOption("#criterion", "zero:accuracy");
  await settles(page, "the criterion filters", async () => (await ids(page)).includes("q-0193") && !(await ids(page)).includes("q-0001"));
  await page.selectOption("#criterion", "");
  await page.selectOption("#class", "=judge-answer");
  await settles(page, "the class filters", async () => (await ids(page)).join() === "q-0021");
  await page.selectOption("#class", "");
  await page.click('#list .head [data-key="criterion.rouge-l"]');
  await settles(page, "a column sorts up", async () => (await ids(page)).filter((id) => id.startsWith("q-")).slice(0, 2).join() === "q-0007,q-0193");
  await page.click('#list .head [data-key="criterion.rouge-l"]');
  await settles(page, "a column sorts down", async () => (await ids(page))[0] === "q-0001");
  await page.click('#list .head [data-key="input"]');
  await settles(page, "text sorts", async () => (await page.getAttribute('#list .head [data-key="input"]', "aria-sort")) === "ascending" && (await ids(page)).filter((id) => id.startsWith("q-")).join() === "q-0001,q-0002,q-0007,q-0021,q-0193");
  const again = await open("sample.html", new URL(page.url()).hash);
  check((await ids(again)).join() === (await ids(page)).join(), "the address does not give the same view", await ids(again));
  await done(again, "sample again");
  await done(page, "sample");
  const nonsense = await open("sample.html", "#verdict=%3Cscript%3E&sort=nonsense&criterion=x&class=y&view=cases");
  check((await ids(nonsense)).length === all, "an address nobody wrote hides rows", await ids(nonsense));
  await done(nonsense, "nonsense");
}
{ // Keyboard.
  const page = await open("sample.html", "#view=cases");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const list = await ids(page);
  const announced = () => page.evaluate(() => document.getElementById(document.getElementById("list").getAttribute("aria-activedescendant"))?.getAttribute("aria-selected"));
  await settles(page, "a screen reader is told of the chosen row", async () => (await announced()) === "true");
  await page.keyboard.press("Enter");
  await settles(page, "Enter opens", async () => (await page.textContent("#detail h2").catch(() => "")) === list[1]);
  await page.keyboard.press("k");
  await settles(page, "k goes back", async () => (await page.textContent("#detail h2")) === list[0]);
  await page.keyboard.press("G");
  await settles(page, "G goes to the end", async () => (await page.textContent("#detail h2")) === list.at(-1));
  await page.keyboard.press("Escape");
  check(await page.isHidden("#detail"), "Esc does not close");
  await page.keyboard.press("?");
  check(await page.isVisible("#help"), "? shows no help");
  await page.keyboard.press("Escape");
  check(await page.isHidden("#help"), "Esc does not close the help");
  await page.keyboard.press("o");
  check(await page.isVisible("#overview") && await page.isHidden("#cases"), "o does not show the overview");
  check((await page.textContent("#overview .slices")).includes("refunds"), "the overview has no slices");
  await page.click("#overview .slices a");
  await settles(page, "a slice of the overview shows its cases", async () => / of /.test(await count(page)));
  await page.keyboard.press("o");
  await page.click("#overview .worst a");
  await settles(page, "a link of the overview opens its case", async () => page.isVisible("#detail"));
  await done(page, "keyboard");
}
const light = (rgb) => { const [r, g, b] = rgb.match(/[\d.]+/g).map((x) => { const c = x / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((m, n) => n - m); return (x + 0.05) / (y + 0.05); };
// legible checks the contrast of elements with what is behind them.
const legible = async (page, selectors, scheme) => {
  const seen = await page.evaluate((list) => list.map((s) => {
    const e = document.querySelector(s);
    if (!e) return [s, "rgb(0, 0, 0)", "rgb(0, 0, 0)"];
    let back = e;
    while (getComputedStyle(back).backgroundColor === "rgba(0, 0, 0, 0)") back = back.parentElement;
    return [s, getComputedStyle(e).color, getComputedStyle(back).backgroundColor];
  }), selectors);
  for (const [name, ink, paper] of seen) check(contrast(ink, paper) >= 4.5, name + " is hard to read, " + scheme, ink, paper);
};
{ // Colours: legible in both schemes, and the legend says what the bars are.
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("sample.html", "", { colorScheme });
    const seen = await page.evaluate(() => {
      const css = (selector, of) => getComputedStyle(document.querySelector(selector))[of];
      return { paper: css("body", "backgroundColor"), ink: css("body", "color"), bar: css(".chart .bar:not(.low)", "fill"), low: css(".chart .bar.low", "fill"), swatch: css(".swatch:not(.low)", "backgroundColor"), lowSwatch: css(".swatch.low", "backgroundColor") };
    });
    check((light(seen.paper) > 0.5) === (colorScheme === "light"), "the page is not " + colorScheme, seen);
    check(contrast(seen.paper, seen.ink) >= 7, "text is hard to read, " + colorScheme, seen);
    check(seen.bar === seen.swatch && seen.low === seen.lowSwatch && seen.bar !== seen.low, "the legend is not that of the bars, " + colorScheme, seen);
    await page.click("#tab-cases");
    await legible(page, [".row .badge.good", ".row .badge.bad", ".row .cell.text", ".row .value.good span", ".row .value.bad span"], colorScheme);
    await page.emulateMedia({ media: "print" });
    check(light(await page.evaluate(() => getComputedStyle(document.body).color)) < 0.1, "ink is pale on paper, " + colorScheme);
    await done(page, colorScheme);
  }
}
{ // 20,000 rows: few of them are elements, all of them are found.
  const page = await open("large.html");
  check(await page.$eval("svg.chart", (chart) => [...chart.querySelectorAll("text")].every((e) => e.getBBox().x >= 0)), "numbers of the chart's axis are cut off");
  await page.click("#tab-cases");
  check((await count(page)) === "20,000 cases", "not all rows are there", await count(page));
  check((await page.$$("#list .row")).length < 100, "rows out of sight are elements");
  await page.keyboard.press("G");
  await settles(page, "the end is drawn", async () => (await page.$('#list .row[data-at="19999"] .text:not(:empty)')) !== null);
  await page.fill("#find", "(q-19999)");
  await settles(page, "the last row is found by its input", async () => (await count(page)) === "1 of 20,000");
  await page.fill("#find", "");
  await settles(page, "all are back", async () => (await count(page)) === "20,000 cases");
  await page.selectOption('[data-slice="category"]', "=refunds");
  await settles(page, "a slice filters", async () => / of 20,000$/.test(await count(page)));
  await done(page, "large");
  const linked = await open("large.html", "#case=q-12345");
  await settles(linked, "a link opens its case", async () => (await linked.textContent("#detail h2").catch(() => "")) === "q-12345");
  await done(linked, "large, linked");
}
{ // A phone, and paper.
  const page = await open("sample.html", "#case=q-0193", { viewport: { width: 390, height: 800 } });
  await page.waitForSelector("#detail:not([hidden])");
  check(await page.isHidden("#list"), "list and case share a phone");
  check(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "the page is wider than a phone");
  await page.keyboard.press("Escape");
  check(await page.evaluate(() => document.activeElement.id) === "list", "the keyboard is lost when a case closes");
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  check((await page.textContent(".paper")).includes("I have looked at your order") && await page.isHidden("#controls"), "paper does not have the cases");
  await done(page, "phone");
}
{
  const page = await open("bare.html", "#view=cases");
  check((await page.textContent("#cases")).includes("content not kept"), "nothing says that the content is not kept");
  await done(page, "bare");
}
for (const file of readdirSync(dir).filter((f) => f.startsWith("hostile-"))) {
  const page = await open(file, "#view=cases");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await settles(page, file + " opens", async () => page.isVisible("#detail"));
  check(await page.evaluate(() => document.querySelectorAll("script").length === 1 && !document.querySelector("#cases img, #cases iframe, #cases [onload], #cases [onerror], #cases [style*=url]")), file + ": text became elements");
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  check(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), file + " is wider than paper");
  await done(page, file);
}
{ // Comparisons: figures, the outputs side by side with the changed words marked.
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("compare.html", "", { colorScheme });
    check((light(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)) > 0.5) === (colorScheme === "light"), "the comparison is not " + colorScheme);
    check((await page.$$("details[open]")).length === 0, "cases are open");
    await page.keyboard.press("Tab"); // the table, if it scrolls, or the first case
    for (let i = 0; i < 9 && !(await page.evaluate(() => document.activeElement.closest("details.changed"))); i++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    check((await page.$$("details.changed[open]")).length === 1, "Enter does not open a case");
    check((await page.$$eval("details[open] del", (l) => l.map((e) => e.textContent))).join() === "14" && (await page.$$eval("details[open] ins", (l) => l.map((e) => e.textContent))).join() === "30", "the changed words are not marked");
    const sides = await page.$$eval("details[open] .sides > div", (l) => l.map((e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.width]; }));
    check(sides.length === 2 && sides[0][1] === sides[1][1] && sides[0][0] < sides[1][0] && Math.abs(sides[0][2] - sides[1][2]) < 1, "the outputs are not side by side", sides);
    const lines = await page.evaluate(() => ["del", "ins"].map((s) => getComputedStyle(document.querySelector(s)).textDecorationLine));
    check(lines.join() === "line-through,underline", "only colour tells removed from added words", lines);
    await page.click("details.within summary");
    check((await page.$$("details.within .wide:first-of-type tbody tr")).length === 3, "the criteria of slices are not listed");
    await legible(page, [".outcome.bad strong", ".figures .bad", ".badge.bad", ".badge.warn", "del", "ins", ".why", ".legend", ".facts", ".by", ".figures thead th"], colorScheme);
    await done(page, "comparison, " + colorScheme);
  }
  for (const file of ["compare.html", ...readdirSync(dir).filter((f) => f.startsWith("compare-hostile-"))]) {
    const page = await open(file);
    for (const e of await page.$$("details > summary")) await e.click();
    check((await page.$$("details[open]")).length === (await page.$$("details")).length, file + ": not every part opens");
    for (const width of [390, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      check(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), file + " is wider than the window", width, await page.evaluate(() => [...document.querySelectorAll("main *")].filter((e) => !e.closest(".wide") && e.getBoundingClientRect().right > window.innerWidth).map((e) => e.tagName + "." + e.className).slice(0, 5)));
    }
    check(await page.evaluate(() => !document.querySelector("script, img, iframe, a, svg, [onload], [onerror], [style]") && document.querySelectorAll("style").length === 1 && document.querySelectorAll("section").length === 1), file + ": text became elements");
    await done(page, file);
  }
}
await browser.close();
process.exit(wrong ? 1 : 0);

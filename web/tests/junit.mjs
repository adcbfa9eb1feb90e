// Reports what `node --test` found as JUnit XML, as scripts/lib/tally.py reads it.
//   node --test --test-reporter=./tests/junit.mjs

const escape = (text) =>
  String(text)
    .replace(/[&<>"\u0000-\u0008\u000b-\u001f]/g, (letter) => `&#${letter.codePointAt(0)};`)
    .replace(/&#([0-9]|1[0-9]|2[0-9]|3[01]);/g, "?");

export default async function* junit(events) {
  yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n';
  for await (const { type, data } of events) {
    // A file is an event, too; its tests tell what it says.
    const isTest = (type === "test:pass" || type === "test:fail") && !/\.js$/.test(data.name);
    const isBrokenFile =
      type === "test:fail" &&
      /\.js$/.test(data.name) &&
      data.details.error?.failureType !== "subtestsFailed";
    if (!isTest && !isBrokenFile) continue;
    const said = data.details.error?.cause ?? data.details.error;
    const reason = data.skip === undefined ? "" : `<skipped message="${escape(data.skip)}"/>`;
    const failure = type === "test:fail" ? `<failure>${escape(said?.stack ?? said)}</failure>` : "";
    const seconds = (data.details.duration_ms ?? 0) / 1000;
    yield `<testcase classname="page" name="${escape(data.name)}" time="${seconds}">${reason}${failure}</testcase>\n`;
  }
  yield "</testsuites>\n";
}

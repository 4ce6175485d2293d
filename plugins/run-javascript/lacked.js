// What Node has and this runtime has not.
import { mean } from "./faults.js";

// A candidate that needs what is lacking was not tested. name is the first thing that
// was asked for: of the candidate in its instance, of the tests in the judge's.
export const lacked = { name: undefined, byValue: false }; // byValue: it would do for other values

// lacking notes that something is lacking, and returns Node's error of a module that there is not.
export function lacking(name) {
  lacked.name ??= String(name).slice(0, 100).toWellFormed();
  return mean(Object.assign(new Error("Cannot find module '" + name + "'"), { code: "MODULE_NOT_FOUND" }));
}

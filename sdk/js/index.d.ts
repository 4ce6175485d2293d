// Types of scorers in JavaScript. "plugin new --lang js" writes this file beside a
// script, as rubric-host.d.ts. In the script:
//
//   /** @type {import("./rubric-host").Score} */
//   export function score(c, config) { ... }
//
// A script is JavaScript; TypeScript is compiled to one file first.

/** A case: the fields that the plugin's manifest asks for, where the case has them. */
export interface Case {
  id?: string;
  /** What was asked. */
  input?: string;
  /** What is scored: text, as a rule. */
  output?: any;
  /** Right answers, the best first. */
  references?: string[];
  /** The one expected answer, where the dataset has it apart. */
  expected?: any;
  /** Passages that the answer should rest on. */
  context?: any;
  /** Everything else that the row of the dataset has. */
  metadata?: Record<string, any>;
  [field: string]: any;
}

/** The manifest's defaults, with the rubric's values over them. */
export type Config = Record<string, any>;

/** A criterion that a plugin of kind scorer or judge is told. */
export interface Criterion {
  id: string;
  name?: string;
  text?: string;
  levels?: { id: string; label?: string; description?: string; score: number }[];
}

/** A part of the case. */
export interface Evidence {
  field: string;
  text?: string;
  /** Code points of the field, from 0; the end is not included. */
  start?: number;
  end?: number;
}

/**
 * An answer: exactly one of score, level, unscored and error. Other members are
 * moved to details.
 */
export interface Answer {
  /** Finite, and within the manifest's range, 0 to 1 where it has none. A boolean is 0 or 1. */
  score?: number | boolean | null;
  /** The id of one of the criterion's levels. */
  level?: string;
  /** Why there is no score. The host never makes a 0 of it. */
  unscored?: string;
  /** What went wrong. Throwing says the same, and where. */
  error?: string;
  reason?: string;
  evidence?: Evidence[];
  hits?: string[];
  misses?: string[];
  details?: Record<string, any>;
  /** Figures that add up over cases, for a corpus metric. */
  stats?: number[];
  [more: string]: any;
}

/** null and undefined say that there is no score. */
export type Result = number | boolean | Answer | null | undefined | void;

/** A scorer. A promise is waited for; there are no timers and no requests that it could wait for. */
export type Score = (c: Case, config: Config, criterion?: Criterion) => Result | Promise<Result>;

/** The figure of a whole set, from the summed stats of its cases. */
export type Corpus = (stats: number[], config: Config) => Result;

// The parts of the clickable formula, as an author writes them.

import type {FormulaPart} from '../shared/content.js';

export interface FormulaSource {
  /** The author and the equation, a line each. */
  source: string[];
  note: string;
  /** `what` and `why` may hold `{num id}` of the chapter's numbers. */
  parts: Record<FormulaPart, {name: string; what: string; why: string}>;
}

/** Types the export of a chapter's `formula.ts`. */
export function defineFormula(formula: FormulaSource): FormulaSource {
  return formula;
}

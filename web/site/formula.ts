// The parts of the clickable formula, as an author writes them.

import type {FormulaPart} from '../shared/content.js';

export interface FormulaSource {
  /** Whose equation it is, a line each. */
  source: string[];
  note: string;
  /** `what` and `why` may hold `{num id}` of the chapter's numbers. */
  parts: Record<FormulaPart, {name: string; what: string; why: string}>;
}

/** What `formula.ts` of a chapter exports. */
export function defineFormula(formula: FormulaSource): FormulaSource {
  return formula;
}

// The places where a browser keeps a run.

/** The last of attn-train's runs, or that of the sweep over widths. */
export type Slot = 'last' | 'sweep';

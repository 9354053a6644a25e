// Reads the equations that a text prints and evaluates each with its printed digits.

/** A printed number or expression: its value, and the range that its rounding leaves open. */
interface Reading {
  value: number;
  low: number;
  high: number;
}

export interface Equation {
  /** Both sides and the sign, as printed. */
  text: string;
  sign: '＝' | '≈';
  /** The two sides; vectors by component. */
  parts: {left: Reading; right: Reading; half: number}[];
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const UNITS =
  '字节|词元|倍|个数|个头|个|层|头|份|格|步|遍|次|对|行|列|维|组|条|道|GiB|MiB|KiB|GB|MB|KB|B';
const SCALES: Record<string, number> = {
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  万: 1e4,
  亿: 1e8,
};
const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;
const TOKEN = new RegExp(
  `(?<number>${NUMBER})|(?<raised>[⁺⁻${RAISED}]+)|(?<percent> ?%)|(?<call>` +
    `sin|cos|tanh|ln|exp|e(?=\\^|[⁻${RAISED}])|√|π)|(?<scale>[KMGT]iB|[KMG]B|[万亿])|(?` +
    `<unit>${UNITS})|(?<op>[×·÷/＋+−()（）^|])|(?<space>[ 　]+)`,
  'uy',
);

interface Token {
  kind: string;
  text: string;
  at: number;
}

function tokens(text: string): Token[] | undefined {
  const found: Token[] = [];
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match?.groups) return undefined;
    const kind = Object.entries(match.groups).find(([, value]) => value !== undefined)![0];
    if (kind !== 'space') found.push({kind, text: match[0], at});
    at += match[0].length;
  }
  return found;
}

const exact = (value: number): Reading => ({value, low: value, high: value});
const of = (value: number, ends: number[]): Reading => ({
  value,
  low: Math.min(...ends),
  high: Math.max(...ends),
});
const both = (a: Reading, b: Reading, f: (x: number, y: number) => number): Reading =>
  of(f(a.value, b.value), [f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)]);
const each = (a: Reading, f: (x: number) => number): Reading =>
  of(f(a.value), [f(a.low), f(a.high)]);

/** Recursive descent over the tokens; undefined where they are not one whole expression. */
class Parser {
  private at = 0;
  constructor(private readonly list: Token[]) {}

  whole(): Reading | undefined {
    const value = this.sum();
    return this.at === this.list.length ? value : undefined;
  }

  private next(...texts: string[]): boolean {
    if (!texts.includes(this.list[this.at]?.text ?? '')) return false;
    this.at++;
    return true;
  }

  private kind(kind: string): string | undefined {
    const token = this.list[this.at];
    if (token?.kind !== kind) return undefined;
    this.at++;
    return token.text;
  }

  private sum(): Reading | undefined {
    let value = this.product();
    while (value) {
      const plus = this.next('＋', '+');
      if (!plus && !this.next('−')) break;
      const other = this.product();
      if (!other) return undefined;
      value = both(value, other, plus ? (x, y) => x + y : (x, y) => x - y);
    }
    return value;
  }

  private product(): Reading | undefined {
    let value = this.signed();
    while (value) {
      const times = this.next('×', '·');
      if (!times && !this.next('÷', '/')) break;
      const other = this.signed();
      if (!other) return undefined;
      value = both(value, other, times ? (x, y) => x * y : (x, y) => x / y);
    }
    return value;
  }

  private signed(): Reading | undefined {
    if (this.next('−')) {
      const value = this.signed();
      return value && each(value, (x) => -x);
    }
    return this.power();
  }

  private power(): Reading | undefined {
    let value = this.atom();
    if (!value) return undefined;
    const raised = this.kind('raised');
    if (raised) value = both(value, exact(ofRaised(raised)), Math.pow);
    if (this.next('^')) {
      const exponent = this.signed();
      if (!exponent) return undefined;
      value = both(value, exponent, Math.pow);
    }
    for (;;) {
      const scale = this.kind('scale');
      if (this.kind('percent')) value = each(value, (x) => x / 100);
      else if (scale) value = each(value, (x) => x * SCALES[scale]!);
      else if (!this.kind('unit')) return value;
    }
  }

  private atom(): Reading | undefined {
    const number = this.kind('number');
    if (number) return ofNumber(number);
    const call = this.kind('call');
    if (call === 'e') return exact(Math.E);
    if (call === 'π') return exact(Math.PI);
    if (call) {
      const inner = this.atom();
      const f = {
        '√': Math.sqrt,
        ln: Math.log,
        sin: Math.sin,
        cos: Math.cos,
        tanh: Math.tanh,
        exp: Math.exp,
      }[call]!;
      return inner && each(inner, f);
    }
    if (this.next('|')) {
      const inner = this.sum();
      return inner && this.next('|') ? each(inner, Math.abs) : undefined;
    }
    if (!this.next('(', '（')) return undefined;
    const inner = this.sum();
    return inner && this.next(')', '）') ? inner : undefined;
  }
}

function ofRaised(text: string): number {
  const digits = [...text].map((c) => (c === '⁻' ? '-' : c === '⁺' ? '+' : RAISED.indexOf(c)));
  return Number(digits.join(''));
}

/** Whole numbers are exact; decimals leave half a unit of their last digit open. */
function ofNumber(text: string): Reading {
  const plain = text.replaceAll(',', '');
  const value = Number(plain);
  const decimals = plain.split('.')[1]?.length;
  if (decimals === undefined) return exact(value);
  const half = 0.5 * 10 ** -decimals;
  return {value, low: value - half, high: value + half};
}

/** A vector: (1.267, 0.733). */
const VECTOR = /[(（]([^()（）]*, [^()（）]*)[)）]/g;

/** One reading for a number, or one for each component of a vector. */
function read(text: string): Reading[] | undefined {
  const size = /[(（]([^()（）]*, [^()（）]*)[)）]/.exec(text)?.[1]?.split(', ').length ?? 1;
  const readings = Array.from({length: size}, (_, c) => {
    const one = text.replaceAll(VECTOR, (_whole, inner: string) => `(${inner.split(', ')[c]})`);
    const list = tokens(one);
    return list?.length ? new Parser(list).whole() : undefined;
  });
  return readings.every((reading) => reading !== undefined) ? readings : undefined;
}

/** Half a unit of the last digit of one printed number, with its power of ten, percent or unit. */
function halfOf(text: string): number | undefined {
  const match = new RegExp(
    `^[ （(]*[−-]?(${NUMBER})(?:×10([⁻${RAISED}]+))?( ?%)?\\s*([KMGT]iB|[KMG]B|[万亿])?(?:` +
      `${UNITS})?[ ）)]*$`,
    'u',
  ).exec(text);
  if (!match) return undefined;
  const decimals = match[1]!.split('.')[1]?.length ?? 0;
  return (
    0.5 *
    10 ** (-decimals + (match[2] ? ofRaised(match[2]) : 0) - (match[3] ? 2 : 0)) *
    (match[4] ? SCALES[match[4]]! : 1)
  );
}

/** LaTeX of numbers as plain text; a letter that is not a number stays and ends the expression. */
function plainOf(latex: string): string {
  return latex
    .replaceAll(/\\(?:times|cdot)/g, '×')
    .replaceAll('\\div', '÷')
    .replaceAll('\\pi', 'π')
    .replaceAll(/\\(sin|cos|tanh|ln|exp) ?/g, '$1')
    .replaceAll(/\\[,;!]|\\q?quad|\\(?:Bigl|Bigr|bigl|bigr|left|right|displaystyle)/g, '')
    .replaceAll(/\\t?frac\{([^{}]*)\}\{([^{}]*)\}/g, '(($1)÷($2))')
    .replaceAll(/\\sqrt\{([^{}]*)\}/g, '√($1)')
    .replaceAll(/\\sqrt ?(\d)/g, '√$1')
    .replaceAll(/\^\{([^{}]*)\}/g, '^($1)')
    .replaceAll(/\\approx/g, '≈')
    .replaceAll(/&?=/g, '＝')
    .replaceAll('-', '−');
}

const SIGNS = /[＝=≈]/gu;
/** Characters before a side which show that the side is only a part of an expression. */
const CUT = /[\p{L}\p{N}_×·÷/＋+−^√|₀-₉ᵀ̅)）%]$/u;
const HAN = /\p{Script=Han}$/u;

/**
 * The longest expression at the end of the text before a sign, or at the start of the text after
 * it.
 */
function side(text: string, end: boolean): {text: string; readings: Reading[]} | undefined {
  const limit = Math.min(text.length, 400);
  for (let size = limit; size > 0; size--) {
    const part = end ? text.slice(-size) : text.slice(0, size);
    const readings = read(part);
    if (!readings) continue;
    const before = end ? text.slice(0, -size) : '';
    const after = end ? '' : text.slice(size);
    if (/第 ?$/.test(before) || (CUT.test(before) && !HAN.test(before))) return undefined;
    if (/^[\p{L}\p{N}_×·÷/＋+−^√₀-₉(（.]/u.test(after) && !/^\p{Script=Han}|^（/u.test(after))
      return undefined;
    return {text: part.trim(), readings};
  }
  return undefined;
}

/** The equations with a number on both sides that a text prints; LaTeX is between dollar signs. */
export function equationsIn(text: string): Equation[] {
  const plain = text
    .replaceAll(/(\d)的([\d,]+)次方/g, '$1^$2')
    .replaceAll(/\$([^$]*)\$/g, (_, latex: string) => plainOf(latex))
    .replaceAll(/ +/g, ' ');
  const signs = [...plain.matchAll(SIGNS)].map(({index}) => index);
  return signs.flatMap((at, i): Equation[] => {
    const left = side(plain.slice(i ? signs[i - 1]! + 1 : 0, at).trimEnd(), true);
    const right = side(plain.slice(at + 1, signs[i + 1] ?? plain.length).trimStart(), false);
    if (!left || !right || left.readings.length !== right.readings.length) return [];
    const results = right.text.replaceAll(VECTOR, '$1').split(', ');
    return [
      {
        text: `${left.text}${plain[at] === '≈' ? '≈' : '＝'}${right.text}`,
        sign: plain[at] === '≈' ? '≈' : '＝',
        parts: left.readings.map((reading, c) => ({
          left: reading,
          right: right.readings[c]!,
          half: halfOf(results[c] ?? right.text) ?? halfOf(left.text) ?? 0,
        })),
      },
    ];
  });
}

/**
 * Whether an equation holds as printed. With 「＝」 the printed operands give the printed result,
 * rounded to its digits. With 「≈」 some operands and some result that round to the printed ones do.
 */
export function holds({sign, parts}: Equation): boolean {
  return parts.every(({left, right, half}) => {
    const slack = 1e-9 * Math.max(Math.abs(left.value), Math.abs(right.value));
    return sign === '＝'
      ? Math.abs(left.value - right.value) <= half + slack
      : left.low <= right.high + slack && right.low <= left.high + slack;
  });
}

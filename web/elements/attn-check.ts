// <attn-check>: a question to answer before reading on, and the answer when it is asked for.

import {html, nothing, type TemplateResult} from 'lit';
import {CoreError} from '../core.js';
import {keepAnswer, keptAnswer} from '../shared/answers.js';
import type {QuestionContent} from '../shared/content.js';
import {general, plain} from '../shared/format.js';
import {isComposing, readNumber} from '../shared/input.js';
import {numberBox} from '../shared/number-box.js';
import {figure, textLines, wrapText} from '../shared/plot.js';
import {plainRich, showRich} from '../shared/rich-text.js';
import type {Resources} from '../shared/runtime.js';
import {flagField, nameField, sampleNumber, type Field, type Schema} from '../shared/schema.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface CheckState {
  /** 哪一个问题，如c3-l03/share-negative */
  question: string;
  /** 读者的答案：从0数的选项，或一个数；还没有答就空着 */
  guess: number | null;
  /** 答案已经打开 */
  shown: boolean;
}

export interface CheckResult {
  question: QuestionContent;
  verdict: 'right' | 'wrong' | null;
}

const guessField: Field<number | null> = {
  fallback: null,
  read: (text) => (text.trim() === '' ? null : readNumber(text)),
  write: (guess) => (guess === null ? '' : String(guess)),
  about: import.meta.env.SSR
    ? {
        takes: '一个数，或空着',
        sample: (random) => (random() < 0.3 ? null : sampleNumber(random, {})),
      }
    : undefined,
};

const schema: Schema<CheckState> = {
  question: nameField('c3-l03/share-negative'),
  guess: guessField,
  shown: flagField(false),
};

function compute(
  _resources: Resources,
  {guess}: CheckState,
  question: QuestionContent,
): CheckResult {
  const {kind, options, answer, tolerance} = question;
  if (kind === 'choice' && guess !== null && !options[guess]) {
    throw new CoreError(
      'invalid_argument',
      `guess: expected an option 0 … ${options.length - 1}, got ${guess}`,
    );
  }
  return {
    question,
    verdict: guess === null ? null : Math.abs(guess - answer) <= tolerance ? 'right' : 'wrong',
  };
}

function withUnit(value: number, {unit = ''}: QuestionContent, show = plain): string {
  return `${show(value)}${unit === '%' ? ' %' : unit}`;
}

/** An option's words, or a number with its unit. */
function wordsOf(question: QuestionContent, answer: number): string {
  return question.kind === 'choice'
    ? `「${plainRich(question.options[answer] ?? [])}」`
    : withUnit(answer, question);
}

function rightWords(question: QuestionContent): string {
  return question.kind === 'choice' ? wordsOf(question, question.answer) : question.answerText;
}

/** The mark before an option: chosen or not, and right or wrong once the answer is shown. */
function markOf({guess, shown}: CheckState, {answer}: QuestionContent, i: number): string {
  if (shown && i === answer) return '✓';
  if (i !== guess) return '○';
  return shown ? '✗' : '●';
}

const LINE = 36;
const LEADING = 25;

/** The question as a picture for saving only; the page itself shows the question as text. */
function view(state: CheckState, {question, verdict}: CheckResult): TemplateResult {
  const prompt = plainRich(question.prompt);
  const given =
    question.kind === 'number' && state.guess !== null
      ? [`你写的：${wordsOf(question, state.guess)}`]
      : [];
  const answer = state.shown
    ? [
        `${verdict === 'wrong' ? '✗' : '✓'} 答案：${rightWords(question)}`,
        plainRich(question.explain),
      ]
    : [];
  const lines = [
    prompt,
    ...question.options.map((option, i) => `${markOf(state, question, i)} ${plainRich(option)}`),
    ...given,
    ...answer,
  ].flatMap((line) => wrapText(line, LINE));
  return figure(
    {height: lines.length * LEADING + 6, label: prompt},
    textLines(0, 18, lines, {size: 15, leading: LEADING}),
  );
}

function says({guess, shown}: CheckState, {question, verdict}: CheckResult): string {
  const choice = question.kind === 'choice';
  const right = rightWords(question);
  if (guess === null) return shown ? `没有先猜，直接打开了答案：${right}。` : '还没有作答。';
  const mine = `你${choice ? '选了' : '写了'}${wordsOf(question, guess)}`;
  if (!shown) return `${mine}。打开答案对一对。`;
  if (choice) return verdict === 'right' ? `${mine}，猜对了。` : `${mine}，算出来是${right}。`;
  const off = guess - question.answer;
  const gap =
    `${off > 0 ? '高' : '低'}了` +
    `${withUnit(Math.abs(off), question, (value) => general(value, 3))}`;
  return `${mine}，算出来是${right}，${verdict === 'right' ? '够近了' : gap}。`;
}

/** The table never holds the answer, since a reader may open it before answering. */
function table({guess}: CheckState, {question}: CheckResult): Table {
  if (question.kind === 'choice') {
    return {
      columns: ['选项', '你选的'],
      rows: question.options.map((option, i) => [plainRich(option), i === guess ? '✓' : '']),
    };
  }
  return {
    columns: ['问题', '你写的'],
    rows: [[plainRich(question.prompt), guess === null ? '还没有写' : wordsOf(question, guess)]],
  };
}

/**
 * A question with its computed answer. The reader's own answer is stored in the browser only.
 *
 * @name 先猜一猜
 * @summary 先写下自己的猜测，再和算出来的答案对照。
 * @attr question guess shown
 * @fires attn-change  detail: {state, result}
 */
export class AttnCheck extends AttnWidget<CheckState, CheckResult, QuestionContent> {
  static override readonly spec: Spec<CheckState, CheckResult, QuestionContent> = {
    tag: 'attn-check',
    title: (_state, {question}) => (question.quiz ? '问题' : '先猜一猜'),
    hint: '自己先答，再打开答案。猜错也有用。',
    schema,
    content: ({question}) => `questions/${question}`,
    compute,
    view,
    says,
    table,
  };

  #restored = false;

  protected override body(state: CheckState, result: CheckResult): TemplateResult {
    const {question} = result;
    return html`${
        question.kind === 'choice' ? this.#options(state, question) : this.#box(state, question)
      }
      <details class="answer" ?open=${state.shown} @toggle=${this.#toggled}>
        <summary>看答案</summary>
        ${this.#answer(state, result)}
      </details>
      <div hidden>${view(state, result)}</div>`;
  }

  /**
   * Runs after the first drawing, which must equal the build's: applies what the reader did before
   * the scripts loaded, or the stored answer.
   */
  protected override updated(changed: Map<PropertyKey, unknown>): void {
    const {result, state} = this;
    if (!this.#restored && result) {
      this.#restored = true;
      const picked = this.renderRoot.querySelector<HTMLInputElement>('input[type=radio]:checked');
      const opened = this.renderRoot.querySelector<HTMLDetailsElement>('.answer')?.open ?? false;
      const early = picked || opened;
      const kept = early
        ? {guess: picked ? Number(picked.value) : null, shown: opened}
        : keptAnswer(result.question.id);
      if (kept && state.guess === null && !state.shown) {
        if (early) this.change(kept);
        else if (kept.guess !== null || kept.shown) {
          this.setAttribute('guess', guessField.write(kept.guess));
          this.toggleAttribute('shown', kept.shown);
        }
      }
    }
    super.updated(changed);
  }

  protected override change(patch: Partial<CheckState>): void {
    super.change(patch);
    const {result, state} = this;
    if (result) keepAnswer(result.question.id, state);
  }

  #options(state: CheckState, question: QuestionContent): TemplateResult {
    return html`<fieldset class="options" ?disabled=${state.shown}>
      <legend>${showRich(question.prompt)}</legend>
      ${question.options.map(
        (option, i) =>
          html`<label>
            <input
              type="radio"
              name="guess"
              value=${i}
              ?checked=${state.guess === i}
              @change=${() => this.change({guess: i})}
            /><span>${showRich(option)}</span>${this.#mark(state, question, i)}</label
          >`,
      )}
    </fieldset>`;
  }

  #mark(state: CheckState, question: QuestionContent, i: number): TemplateResult | typeof nothing {
    const mark = markOf(state, question, i);
    if (mark === '✓') return html`<b class="right">✓ 算出来是它</b>`;
    return mark === '✗' ? html`<b class="wrong">✗ 你选的</b>` : nothing;
  }

  #box(state: CheckState, question: QuestionContent): TemplateResult {
    return html`<p class="prompt">${showRich(question.prompt)}</p>
      <div class="row live" @keydown=${this.#entered}>
        ${numberBox(this, {
          key: 'guess',
          label: '我猜',
          value: state.guess,
          unit: question.unit ?? '',
          disabled: state.shown,
          set: (guess) => this.change({guess}),
          clear: () => this.change({guess: null}),
        })}
      </div>`;
  }

  #answer({guess}: CheckState, {question, verdict}: CheckResult): TemplateResult {
    return html`<dl class="guess">
        ${
          verdict && guess !== null
            ? html`<div>
                <dt>你的答案</dt>
                <dd class=${verdict}>
                  ${verdict === 'right' ? '✓' : '✗'} ${wordsOf(question, guess)}
                </dd>
              </div>`
            : nothing
        }
        <div>
          <dt>计算结果</dt>
          <dd>${rightWords(question)}</dd>
        </div>
      </dl>
      <p>${showRich(question.explain)}</p>
      <button type="button" class="chip live" @click=${this.#again}>重新作答</button>`;
  }

  #toggled = (event: Event): void => {
    const shown = (event.target as HTMLDetailsElement).open;
    if (shown !== this.state.shown) this.change({shown});
  };

  #entered = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !isComposing(event)) this.change({shown: true});
  };

  #again = (): void => {
    this.drafts.clear();
    this.change({guess: null, shown: false});
    void this.updateComplete.then(() => this.renderRoot.querySelector('input')?.focus());
  };
}

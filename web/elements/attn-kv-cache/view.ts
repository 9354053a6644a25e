// Pictures of <attn-kv-cache>.

import {html, nothing, svg, type TemplateResult} from 'lit';
import {layerStrip} from '../../shared/cache-figure.js';
import {kindName, size} from '../../shared/cache-text.js';
import {binary, fixed, integer} from '../../shared/format.js';
import {type GrowthTouch, growthPlots} from '../../shared/growth-plot.js';
import {color, figure, panel, rule, text} from '../../shared/plot.js';
import {cardFigures} from './card.js';
import {servingList} from './serving-words.js';
import {type Design, GIB, type KvCacheResult, type KvCacheState} from './state.js';
import {changes, factors, fitsText, roomText, sum} from './words.js';

function designBars(all: readonly Design[]): TemplateResult {
  const row = 46;
  const most = Math.max(...all.map(({total}) => Number(total)));
  const own = Number(all.find((design) => design.own)?.total ?? 0);
  return figure(
    {
      height: row * all.length,
      label: `同一个模型换一种存法：${all.map(({name, total}) => `${name} ${binary(total)}`).join('，')}`,
    },
    svg`
    ${all.map((design, i) => {
      const y = row * i;
      const share = most > 0 ? (100 * Number(design.total)) / most : 0;
      const ratio = design.own || own === 0 ? '' : `，${fixed(Number(design.total) / own, 2)}倍`;
      return svg`${i > 0 ? rule(0, 100, y) : nothing}
        ${text(0, y + 18, `${design.own ? '● ' : ''}${design.name}`, {
          weight: 600,
          fill: design.own ? 'weight' : 'ink',
        })}
        <svg x="64" y=${y}
          overflow="visible">${text(0, 18, design.what, {size: 12, fill: 'ink-2'})}</svg>
        ${text(100, y + 18, `${binary(design.total)}${ratio}`, {
          anchor: 'end',
          weight: design.own ? 600 : 400,
        })}
        ${panel(
          {x: 0, y: y + 26, width: 100, height: 10},
          svg`<rect width="${share.toFixed(2)}%" height="10"
            fill=${color(design.own ? 'weight' : 'weight-soft')} stroke=${color('weight')}/>`,
        )}`;
    })}`,
  );
}

function fold(title: string, items: readonly unknown[]): unknown {
  return items.length === 0
    ? nothing
    : html`<details>
        <summary>${title}（${items.length}）</summary>
        <ul>
          ${shortened(items).map((item) => html`<li>${item}</li>`)}
        </ul>
      </details>`;
}

/** As many items of a list as a page can show. */
const MOST_SHOWN = 40;

/** The items of a long list that are shown, and how many are left. */
function shortened(items: readonly unknown[]): readonly unknown[] {
  const rest = items.length - MOST_SHOWN;
  return rest > 0 ? [...items.slice(0, MOST_SHOWN), `还有${integer(rest)}个`] : items;
}

/** Defaults that were filled in and keys in doubt, before any number. */
function cautions({assumed, doubts, words}: KvCacheResult): unknown {
  const defaults = assumed.filter(({code}) => code === 'class_default');
  return html`${
    defaults.length > 0
      ? html`<p>
          文件没有写、按这一类配置的默认值补上：${defaults.map(
            ({field, value}, i) => html`${i > 0 ? '，' : ''}<code>${field}</code> ＝ ${value}`,
          )}。
        </p>`
      : nothing
  }${
    doubts.length > 0
      ? html`<p>这些键可能改变结果，请对照模型的代码：</p>
          <ul>
            ${shortened(
              doubts.map(
                ({field, value}, i) => html`<code>${field}</code> ＝ ${value}：${words.doubts[i]}`,
              ),
            ).map((item) => html`<li>${item}</li>`)}
          </ul>`
      : nothing
  }`;
}

/** The card and the curves. Dragging the context changes these. */
export function picture(
  state: KvCacheState,
  result: KvCacheResult,
  touch?: GrowthTouch,
): TemplateResult {
  const {curves, fits, room, serving} = result;
  // The limit is the whole memory if the weights leave nothing.
  const limit = room > 0 ? room : state.memory * GIB;
  return html`${cautions(result)}${cardFigures(state, result)}${growthPlots(
    curves,
    {
      context: state.context,
      room: limit,
      roomText: room > 0 && serving ? binary(BigInt(room)) : roomText(state),
      longest: fits === 'any' || room <= 0 ? null : Number(fits),
    },
    touch,
  )}`;
}

/** The numbers, and where they come from. */
export function details(state: KvCacheState, result: KvCacheResult): TemplateResult {
  const {read, kinds, assumed, variants, ignored, words} = result;
  return html`<dl class="guess">
      <div>
        <dt>
          ${integer(state.context)}个词元${state.batch > 1 ? ` × ${integer(state.batch)}条序列` : ''}
        </dt>
        <dd>${size(result.total)}</dd>
      </div>
      ${
        changes(result)
          ? html`<div>
              <dt>窗口未满，每多一个词元</dt>
              <dd>${size(result.within_window_per_token)}</dd>
            </div>`
          : nothing
      }
      <div>
        <dt>${changes(result) ? '到了这个长度，' : ''}每多一个词元</dt>
        <dd>${size(result.growing_per_token)}</dd>
      </div>
      ${
        Number(result.constant) > 0
          ? html`<div>
              <dt>不随长度变</dt>
              <dd>${size(result.constant)}</dd>
            </div>`
          : nothing
      }
      <div>
        <dt>${roomText(state)}放得下${state.batch > 1 ? '（每条序列）' : ''}</dt>
        <dd>${fitsText(state, result)}</dd>
      </div>
    </dl>
    ${servingList(state, result)}
    <h3>每一层存什么</h3>
    ${layerStrip(read, kinds)}
    <h3>算式</h3>
    <ul class="sums">
      ${read.layout.map(
        (kind, i) =>
          html`<li>
            <b>${kindName(kind.kind)}</b>${factors(
              kind,
              result,
              kinds[i]?.bytes_per_token ?? 0,
              kinds[i]?.constant ?? 0,
            )}
          </li>`,
      )}
      <li><b>合计</b>${sum(state, result)}</li>
    </ul>
    ${
      result.designs.length > 1
        ? html`<h3>同一个模型，换一种存法</h3>
            ${designBars(result.designs)}`
        : nothing
    }
    ${fold(
      '文件没有写明、补上的',
      assumed.map(
        ({field, value}, i) => html`<code>${field}</code> ＝ ${value}：${words.assumed[i]}`,
      ),
    )}
    ${fold(
      '推理引擎不同，总量也不同',
      variants.map(({total}, i) => html`${words.variants[i]}：${size(total)}`),
    )}
    ${fold(
      '没有用到的键',
      ignored.map((key) => html`<code>${key}</code>`),
    )}`;
}

export const view = (state: KvCacheState, result: KvCacheResult): TemplateResult =>
  html`${picture(state, result)}${details(state, result)}`;

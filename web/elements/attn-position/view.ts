// Pictures of <attn-position>.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {ticksBelow} from '../../shared/axis.js';
import {fixed, general, integer} from '../../shared/format.js';
import {
  along,
  color,
  figure,
  hatch,
  marker,
  panel,
  path,
  pin,
  type Point,
  rule,
  text,
  type Token,
} from '../../shared/plot.js';
import {PLACES} from '../../shared/positions.js';
import {type Dial, type PositionResult, type PositionState, SHOWN} from './state.js';
import {CHANGED, facts} from './words.js';

const LEFT = 15;

const HEIGHT = 120;

/** Lines against the key's place; the hatch marks places beyond those seen in training. */
function course(
  lines: readonly {values: readonly (number | null)[]; tone: Token; name: string}[],
  {offset, at}: PositionState,
  what: string,
): TemplateResult {
  const all = lines.flatMap(({values}) => values.filter((value) => value !== null));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = Math.max(0.5, high - low) * 0.65;
  const domain = [(low + high) / 2 - room, (low + high) / 2 + room] as const;
  const x = (place: number) => along(place, [0, SHOWN - 1]);
  const point = (place: number, value: number): Point => [
    x(place),
    Math.round(HEIGHT - (HEIGHT * along(value, domain)) / 100),
  ];
  const seen = Math.max(0, PLACES - offset);
  return figure(
    {height: HEIGHT + 72, label: what},
    svg`<defs>${hatch('unseen', 'ink-2')}</defs>
    ${lines.map(({name, tone}, i) => text(50 * i, 14, name, {fill: tone, weight: 600}))}
    ${
      all.length > 0
        ? [low, high].slice(high - low < CHANGED ? 1 : 0).map((value) =>
            text(LEFT - 1, 28 + point(0, value)[1] + 4, fixed(value, 2), {
              anchor: 'end',
              size: 11,
              fill: 'ink-2',
            }),
          )
        : nothing
    }
    ${panel(
      {x: LEFT, y: 28, width: 100 - LEFT, height: HEIGHT},
      svg`
      ${rule(0, 100, 0)}${rule(0, 100, HEIGHT)}
      <rect x="${x(Math.min(seen, SHOWN - 1))}%" y="0"
        width="${100 - x(Math.min(seen, SHOWN - 1))}%" height=${HEIGHT} fill="url(#unseen)"
        fill-opacity="0.35"/>
      ${lines.map(({values, tone}, i) =>
        path(
          values.flatMap((value, place) => (value === null ? [] : [point(place, value)])),
          tone,
          i === 0 ? 'solid' : 'dashed',
        ),
      )}
      ${lines.map(({values, tone}) =>
        typeof values[at] === 'number' ? marker('dot', point(at, values[at]), tone) : nothing,
      )}
      ${ticksBelow([0, 31, 63, 95], [0, SHOWN - 1], HEIGHT, String)}`,
    )}
    ${text(100, HEIGHT + 64, `k的位置（q再往后${integer(offset)}个）；斜纹：出了0–${PLACES - 1}`, {
      anchor: 'end',
      size: 11,
      fill: 'ink-2',
    })}`,
  );
}

const R = 50;

/** Unit vectors: the lengths of q and k don't change the angle between them. */
function dial({pair, speed, q, k}: Dial, x: number): SVGTemplateResult {
  const arrow = ([a, b]: Point, tone: Token, length: number, faint = false) => {
    const size = (length * R) / (Math.sqrt(a * a + b * b) || 1);
    return svg`<line x2=${(a * size).toFixed(1)} y2=${(-b * size).toFixed(1)} stroke=${color(tone)}
      stroke-width=${faint ? 1.5 : 3} stroke-dasharray=${faint ? '3 3' : nothing}/>`;
  };
  return svg`${text(x, 16, `第${pair}对`, {
    anchor: 'middle',
    weight: 600,
  })}${text(x, 33, `每步${general(speed, 3)}弧度`, {anchor: 'middle', size: 12, fill: 'ink-2'})}
    ${pin(
      x,
      92,
      svg`<circle r=${R} fill="none" stroke=${color('rule')}/>
        ${arrow(k[0], 'key', 0.7, true)}${arrow(q[0], 'query', 1, true)}
        ${arrow(k[1], 'key', 0.7)}${arrow(q[1], 'query', 1)}`,
    )}`;
}

function dials({dials: both}: PositionResult, {at, offset}: PositionState): TemplateResult {
  const places = both.length === 1 ? [50] : [26, 74];
  return figure(
    {height: 170, label: '第一对和最后一对的方向：虚线转之前，实线转之后'},
    svg`
    ${both.map((each, i) => dial(each, places[i] ?? 50))}
    ${text(0, 164, `短针k，在${integer(at)}`, {
      size: 12,
      fill: 'key',
    })}${text(50, 164, `长针q，在${integer(at + offset)}`, {
      size: 12,
      fill: 'query',
      anchor: 'middle',
    })}${text(100, 164, '虚线：转之前', {size: 12, anchor: 'end', fill: 'ink-2'})}`,
  );
}

function table_(codes: PositionResult['codes']): TemplateResult {
  const count = codes[0]?.values.length ?? 1;
  const width = 82 / count;
  return figure(
    {height: 24 + 30 * codes.length, label: '位置的编码，数值见表格'},
    svg`<defs>${hatch('minus', 'key')}</defs>
    ${text(0, 15, '位置', {size: 12, fill: 'ink-2'})}${Array.from({length: count}, (_, c) =>
      text(18 + width * (c + 0.5), 15, String(c), {anchor: 'middle', size: 12, fill: 'ink-2'}),
    )}
    ${codes.map(
      ({place, values}, i) => svg`${text(0, 24 + 30 * i + 20, integer(place))}
      ${values.map(
        (
          value,
          c,
        ) => svg`<rect x="${18 + width * c}%" y=${24 + 30 * i} width="${width}%" height="28"
          stroke=${color('rule')} fill=${value < 0 ? 'url(#minus)' : color('key')}
          fill-opacity=${(0.05 + 0.3 * Math.min(1, Math.abs(value))).toFixed(3)}/>
        ${text(18 + width * (c + 0.5), 24 + 30 * i + 19, fixed(value, count > 4 ? 2 : 4), {
          anchor: 'middle',
          size: 11,
          halo: value < 0,
        })}`,
      )}`,
    )}`,
  );
}

function sentence(result: PositionResult, state: PositionState): TemplateResult {
  const rows = result.moved;
  const numbers = (values: readonly number[]) => values.map((value) => fixed(value, 3)).join('  ');
  const order = state.order.map((place) => rows[place - 1]?.token ?? '').join(' ');
  return figure(
    {height: 30 + 50 * rows.length, label: '换次序前后，每个词元的输出；数值见表格'},
    svg`
    ${text(0, 16, `换成：${order}`, {weight: 600})}
    ${rows.map(({token, from, to, before, after, difference: gap}, i) => {
      const y = 30 + 50 * i;
      const same = gap < CHANGED;
      return svg`${rule(0, 100, y)}${text(0, y + 20, token, {weight: 600})}${text(
        0,
        y + 39,
        `${from}→${to}`,
        {size: 12, fill: 'ink-2'},
      )}
        ${text(17, y + 20, numbers(before), {size: 12})}${text(17, y + 39, numbers(after), {
          size: 12,
          fill: same ? 'right' : 'wrong',
        })}
        ${text(100, y + 30, same ? '✓ 没变' : `✗ 差${fixed(gap, 3)}`, {
          anchor: 'end',
          size: 12,
          fill: same ? 'right' : 'wrong',
          weight: 600,
        })}`;
    })}`,
  );
}

export function view(state: PositionState, result: PositionResult): TemplateResult {
  const {kind} = state;
  if (result.moved.length > 0)
    return html`${sentence(result, state)}
      <p class="reading">每行上面是原来的输出，下面是换次序之后同一个词元的输出。</p>`;
  const flat = result.spread < CHANGED && result.course[0] !== null;
  const line = {
    values: result.course,
    tone: flat ? 'right' : 'wrong',
    name: flat
      ? '✓ 分数不随位置变'
      : result.spread > 0
        ? `✗ 分数随位置变，最多差${fixed(result.spread, 2)}`
        : '✗ 表里没有这一行',
  } as const;
  return html`${course([line], state, '同样的距离，分数随位置怎样变')}
    ${result.codes.length > 0 ? table_(result.codes) : nothing}
    ${kind === 'rotary' ? dials(result, state) : nothing}
    ${
      result.turned.length > 0
        ? course(
            [
              {values: result.kept, tone: 'right', name: '✓ 取回的，V不转'},
              {values: result.turned, tone: 'wrong', name: '✗ V也转'},
            ],
            state,
            '取回的第1个分量随位置怎样变：V不转，V也转',
          )
        : nothing
    }
    <p class="reading">${facts(state, result)}</p>`;
}

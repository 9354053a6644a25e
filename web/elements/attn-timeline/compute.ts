// Results of <attn-timeline>: the author's nodes on their tracks, and which of them are open.

import type {TimelineNode} from '../../shared/content.js';
import type {Resources} from '../../shared/runtime.js';
import type {Stop, TimelineResult, TimelineState, TrackId} from './state.js';

const TRACKS: readonly {id: TrackId; name: string}[] = [
  {id: 'train', name: '① 训练：一个词元怎样从别的词元取信息'},
  {id: 'generate', name: '② 生成：怎样把K、V存得越来越省'},
];

export function compute(
  _resources: Resources,
  {current, open, node}: TimelineState,
  nodes: TimelineNode[],
): TimelineResult {
  const isHere = ({lesson}: TimelineNode) => [lesson].flat().includes(current);
  const place = nodes.find(isHere)?.track ?? 'train';
  const chosen = nodes.find(({id}) => id === node) ?? nodes.find(isHere) ?? nodes[0];
  const inTime = [...nodes].sort(
    (a, b) => a.column - b.column || Number(b.track === 'train') - Number(a.track === 'train'),
  );
  const stopOf = (one: TimelineNode): Stop => {
    const here = isHere(one);
    return {
      ...one,
      here,
      open: here || open === 'all' || open === one.track,
      chosen: one === chosen,
      published: one.links.length === 0 || one.links.some(({href}) => href !== undefined),
      order: inTime.indexOf(one),
    };
  };
  return {
    tracks: TRACKS.map(({id, name}) => ({
      id,
      name,
      open: open === 'all' || id === (open === 'current' ? place : open),
      stops: nodes.filter(({track}) => track === id).map(stopOf),
    })),
  };
}

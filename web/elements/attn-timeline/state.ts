// State of <attn-timeline>: its fields, what they take, and the shape of its results.

import type {TimelineNode} from '../../shared/content.js';
import {choiceField, nameField, numberField, type Schema} from '../../shared/schema.js';

export type TrackId = TimelineNode['track'];

export interface TimelineState {
  /** 读者在哪一课，如c3-l03 */
  current: string;
  /** 展开什么：选中的一站、全部，或一条线 */
  open: 'current' | 'all' | TrackId;
  /** 选中哪一站，如N4；空着就是读者所在的那一站 */
  node: string;
  /** 从头走到哪里：0是还没出发，1是走完 */
  at: number;
}

export interface Stop extends TimelineNode {
  here: boolean;
  open: boolean;
  /** Its text stands under the picture. */
  chosen: boolean;
  /** False if none of its lessons has a page. */
  published: boolean;
  /** Its place in the order of the years, from 0. */
  order: number;
}

export interface Track {
  id: TrackId;
  name: string;
  open: boolean;
  stops: Stop[];
}

export interface TimelineResult {
  tracks: Track[];
}

export const schema: Schema<TimelineState> = {
  current: nameField(''),
  open: choiceField('current', ['current', 'all', 'train', 'generate']),
  node: nameField(''),
  at: numberField(1, {min: 0, max: 1}),
};

/** All stops in the order of the years. */
export const stationsOf = ({tracks}: TimelineResult): Stop[] =>
  tracks.flatMap(({stops}) => stops).sort((a, b) => a.order - b.order);

/** The station that the playhead has reached. */
export function stationAt(stations: readonly Stop[], at: number): Stop | undefined {
  return stations[Math.max(0, Math.ceil(at * stations.length - 1e-6) - 1)];
}

/** Stations between two named stops, so that the names have room on a phone. */
const APART = 3;

/** One stop of the playhead a station; some have the name of their year. */
export function stopsOf(stations: readonly Stop[]): {at: number; name: string}[] {
  let named = -APART;
  const known = new Set<string>();
  return stations.map(({year}, i) => {
    const free = /^\d+$/.test(year ?? '') && i - named >= APART;
    const name = free && !known.has(year ?? '') ? (year ?? '') : '';
    if (name !== '') {
      known.add(name);
      named = i;
    }
    return {at: (i + 1) / stations.length, name};
  });
}

// The checks that every page must pass. Each check returns its findings; an empty list is a pass.
export * from './checks/alive.js';
export * from './checks/at-rest.js';
export * from './checks/chosen.js';
export {unfold} from './checks/in-page.js';
export * from './checks/links.js';
export * from './checks/overlaps.js';
export * from './checks/valid-html.js';

export default {
  extends: ['stylelint-config-standard'],
  rules: {
    // Rules in the order a reader meets the page, not by growing specificity.
    'no-descending-specificity': null,
    // Prefixed media features are understood by browsers that don't know ranges yet.
    'media-feature-range-notation': null,
  },
};

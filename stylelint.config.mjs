export default {
  extends: ['stylelint-config-standard'],
  rules: {
    // Rules in the order a reader meets the page, not by growing specificity.
    'no-descending-specificity': null,
  },
};

// An example of a script for a widget: it follows the widget's state, and sets it.
const widget = document.querySelector('attn-softmax');
const output = document.querySelector('#largest');
const show = () => {
  output.textContent = widget.result?.trace.maxWeight?.toFixed(3) ?? '这组数分不成权重';
};
customElements.whenDefined('attn-softmax').then(show);
widget.addEventListener('attn-change', show);

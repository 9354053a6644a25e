// What a teacher's own script may do with a widget: follow it, and set it.
const widget = document.querySelector('attn-softmax');
const output = document.querySelector('#largest');
const show = () => {
  output.textContent = widget.result?.trace.maxWeight?.toFixed(3) ?? '这组数分不成权重';
};
customElements.whenDefined('attn-softmax').then(show);
widget.addEventListener('attn-change', show);

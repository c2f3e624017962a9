// Copies the address of an event. Browsers allow it on secure pages only; elsewhere the button stays hidden.
for (const button of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  button.hidden = false;
  button.setAttribute('aria-live', 'polite');
  const copied = () => {
    button.textContent = button.dataset.copied;
  };
  // When the reader refuses it, the other ways stay.
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(button.dataset.copy).then(copied, () => undefined);
  });
}

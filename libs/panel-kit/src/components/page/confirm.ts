/** What a dialog asks, and its two answers. */
interface Asked {
  readonly question: string;
  /** What the question is about. */
  readonly subject?: string;
  readonly yes: string;
  readonly no: string;
  readonly danger?: boolean;
}

/**
 * Asks for confirmation in a native dialog, which keeps the focus inside and closes with Escape.
 * @returns true when confirmed
 */
export function ask({ question, subject, yes, no, danger }: Asked): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.className = 'gt-dialog';
    const text = document.createElement('p');
    text.id = 'gt-question';
    text.textContent = question;
    dialog.setAttribute('aria-labelledby', text.id);
    const form = document.createElement('form');
    form.method = 'dialog';
    const button = (label: string, value: string, className: string): HTMLButtonElement => {
      const element = document.createElement('button');
      element.value = value;
      element.className = className;
      element.textContent = label;
      form.append(element);
      return element;
    };
    const refuse = button(no, 'no', 'gt-button gt-button-quiet');
    button(yes, 'yes', danger ? 'gt-button gt-button-danger' : 'gt-button');
    if (subject) {
      const strong = document.createElement('strong');
      strong.textContent = subject;
      text.append(document.createElement('br'), strong);
    }
    dialog.append(text, form);
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
    refuse.focus();
  });
}

import type { PlainPage } from './plain-page.js';

/** A page that says what did not work, with a link to go on. */
export function failurePage(title: string, text: string, { path, label }: { path: string; label: string }): PlainPage {
  return {
    title,
    body: (
      <>
        <p>{text}</p>
        <p class="gt-after">
          <a href={path}>{label}</a>
        </p>
      </>
    ),
  };
}

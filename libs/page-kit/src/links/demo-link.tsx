import { currentLanguage } from '#kernel';
import type { VNode } from 'preact';
import { pageWords } from '../frame/pages.words.js';

/** The link of a mail, in a demo that sends none (`showsMailLinks`). @param props.path of the link */
export function DemoLink({ path }: { readonly path: string }): VNode {
  const { demoMail, openMail } = pageWords[currentLanguage()];
  return (
    <>
      <p class="lead">{demoMail}</p>
      <p>
        <a class="button" href={path}>
          {openMail}
        </a>
      </p>
    </>
  );
}

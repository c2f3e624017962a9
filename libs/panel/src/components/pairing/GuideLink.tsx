import { useTranslation } from 'adminjs';

/** The help page for volunteers, in the language of the panel; in a new tab, so that the code stays in view. */
export function GuideLink() {
  const { tc, i18n } = useTranslation();
  return (
    <p className="gt-small">
      <a href={`/door/guide.${i18n.language}.html`} target="_blank" rel="noopener">
        {tc('Pairing.guide')}
      </a>
    </p>
  );
}

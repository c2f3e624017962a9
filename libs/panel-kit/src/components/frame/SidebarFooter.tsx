import { useTranslation } from 'adminjs';
import { guichet } from '../page/guichet.js';

/** The address of this page in another language; the server keeps the choice in a cookie. */
function addressIn(language: string): string {
  const address = new URL(window.location.href);
  address.searchParams.set('lang', language);
  return address.pathname + address.search;
}

/** The language of the panel, in place of AdminJS's licence notes, which name the authors of the libraries. */
export default function SidebarFooter() {
  const { tl } = useTranslation();
  const { language, languages } = guichet;
  return (
    <section className="gt-language" aria-label={tl('language')}>
      <label htmlFor="panel-language">{tl('language')}</label>
      <select id="panel-language" value={language} onChange={({ target }) => window.location.assign(addressIn(target.value))}>
        {languages.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </section>
  );
}

import { useTranslation, type ReduxState } from 'adminjs';
import { useSelector } from 'react-redux';
import { guichet } from '../page/guichet.js';

/** The address of this page in another language; the server keeps the choice in a cookie. */
function addressIn(language: string): string {
  const address = new URL(window.location.href);
  address.searchParams.set('lang', language);
  return address.pathname + address.search;
}

/**
 * The language of the panel, in place of AdminJS's licence notes, which name the authors of the libraries; on phones also the sign-out,
 * which the open side bar covers.
 */
export default function SidebarFooter() {
  const { tb, tl } = useTranslation();
  const { language, languages } = guichet;
  const { logoutPath } = useSelector((state: ReduxState) => state.paths);
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
      <form className="gt-side-leave" method="post" action={logoutPath}>
        <button type="submit" className="gt-button gt-button-quiet gt-button-small">
          {tb('logout')}
        </button>
      </form>
    </section>
  );
}

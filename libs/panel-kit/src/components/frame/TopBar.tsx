import { useEffect } from 'react';
import { useTranslation, type ReduxState } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { useSelector } from 'react-redux';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { GlobalSearch } from './GlobalSearch.js';
import '../proof/proof.js';
import './session-watch.js';
import { guichet } from '../page/guichet.js';

/** Makes the page's content its main landmark, for the skip link and for screen readers. */
function useMainLandmark() {
  useEffect(() => {
    const content = document.querySelector('[data-css="app-content"]');
    content?.setAttribute('role', 'main');
    content?.setAttribute('id', 'content');
    content?.setAttribute('tabindex', '-1');
  }, []);
}

/** Another page begins at its top, where its name and its notices are; *Back* returns to where it was. */
function useTop() {
  const { pathname } = useLocation();
  const way = useNavigationType();
  useEffect(() => {
    if (way !== NavigationType.Pop) document.querySelector('[data-css="app-content"]')?.scrollTo(0, 0);
  }, [pathname]);
}

function useTitle() {
  const location = useLocation();
  const resources = useSelector((state: ReduxState) => state.resources);
  const { tl } = useTranslation();
  useEffect(() => {
    const id = /\/resources\/([^/]+)/.exec(location.pathname)?.[1];
    const resource = resources.find((candidate) => candidate.id === id);
    const page = resource ? tl(resource.name, resource.id) : tl('dashboard');
    document.title = `${page} · ${guichet.place}`;
  }, [location.pathname, resources]);
}

/** The key Escape closes the side bar where it lies over the page. */
function useEscape(toggleSidebar: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isOver = window.matchMedia('(max-width: 1099px)').matches && document.querySelector("[data-css='sidebar'].visible") !== null;
      if (event.key !== 'Escape' || !isOver) return;
      toggleSidebar();
      document.querySelector<HTMLElement>('.gt-menu-button')?.focus();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [toggleSidebar]);
}

/** Menu button, name of the venue, search, signed-in user and sign-out. */
export default function TopBar({ toggleSidebar }: { readonly toggleSidebar: () => void }) {
  const { tb, tl } = useTranslation();
  const session = useSelector((state: ReduxState) => state.session);
  const paths = useSelector((state: ReduxState) => state.paths);
  useMainLandmark();
  useTitle();
  useTop();
  useEscape(toggleSidebar);
  const name = session?.name || session?.email;
  const { banner, support } = guichet;
  return (
    <>
      <div className="gt-topbar">
        <a className="gt-skip" href="#content">
          {tb('skip')}
        </a>
        <button type="button" className="gt-icon-button gt-menu-button" onClick={toggleSidebar} aria-label={tb('menu')}>
          <Icon icon="Menu" size={22} />
        </button>
        <strong className="gt-topbar-place">{guichet.place}</strong>
        <GlobalSearch />
        {name ? (
          <form className="gt-topbar-user" method="post" action={paths.logoutPath}>
            {support ? (
              <span className="gt-topbar-name" title={tl('signedInAs', { name })}>
                {name}
              </span>
            ) : (
              <a
                className="gt-topbar-account"
                href="/admin/account"
                title={tl('signedInAs', { name })}
                aria-label={tl('myAccount', { name })}
              >
                <Icon icon="User" size={20} />
                <span className="gt-topbar-name">{name}</span>
              </a>
            )}
            <button type="submit" className="gt-button gt-button-quiet gt-button-small">
              {tb('logout')}
            </button>
          </form>
        ) : null}
      </div>
      {support ? (
        <form className="gt-support-banner" role="status" method="post" action={paths.logoutPath}>
          <span>{support.text}</span>
          <button type="submit" className="gt-button gt-button-small">
            {support.leave}
          </button>
        </form>
      ) : null}
      {banner ? (
        <p className="gt-state-banner" role="status">
          {banner}
        </p>
      ) : null}
    </>
  );
}

import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation, type ResourceJSON } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { NavLink, useLocation } from 'react-router-dom';
import { actionAddress } from '../shared/actions.js';
import { useRootPath } from '../page/props.js';

const GROUPS = ['programme', 'sales', 'operations', 'settings', 'server'];

function Entry({
  to,
  icon,
  end = false,
  elsewhere = false,
  children,
}: {
  readonly to: string | null;
  readonly icon: string | undefined;
  readonly end?: boolean;
  readonly elsewhere?: boolean;
  readonly children: ReactNode;
}) {
  const classOf = ({ isActive }: { readonly isActive: boolean }): string => `gt-nav-link${isActive && !elsewhere ? ' gt-nav-here' : ''}`;
  return (
    <li>
      <NavLink to={to ?? ''} end={end} className={classOf}>
        {icon ? <Icon icon={icon} size={18} /> : null}
        <span>{children}</span>
      </NavLink>
    </li>
  );
}

/** The entries of a resource: first those of its pages that are shown in the side bar, then its list. */
function ResourceEntries({ resource }: { readonly resource: ResourceJSON }) {
  const { ta, tl } = useTranslation();
  const { pathname } = useLocation();
  const pages = resource.resourceActions.filter(({ custom }) => custom?.['side']);
  const addresses = pages.map((page) => actionAddress(page, resource.id));
  return (
    <>
      {pages.map((page, index) => (
        <Entry key={page.name} to={addresses[index] ?? null} icon={page.icon}>
          {ta(page.label, resource.id)}
        </Entry>
      ))}
      <Entry to={resource.href} icon={resource.navigation?.icon} elsewhere={addresses.includes(pathname)}>
        {tl(resource.name, resource.id)}
      </Entry>
    </>
  );
}

const listOf = (resource: ResourceJSON) => resource.resourceActions.find(({ name }) => name === 'list');

/** The resource of this address. */
function useResourceHere(resources: readonly ResourceJSON[]): ResourceJSON | undefined {
  const { pathname } = useLocation();
  const id = /\/resources\/([^/]+)/.exec(pathname)?.[1];
  return resources.find((resource) => resource.id === id);
}

/** The entries of a section that are seldom used, folded until one of them is shown. */
function RareEntries({
  group,
  resources,
  here,
}: {
  readonly group: string;
  readonly resources: readonly ResourceJSON[];
  readonly here: ResourceJSON | undefined;
}) {
  const { tb, tl } = useTranslation();
  const isHere = here !== undefined && resources.includes(here);
  const [isOpen, setOpen] = useState(isHere);
  useEffect(() => {
    if (isHere) setOpen(true);
  }, [isHere]);
  return (
    <details className="gt-nav-more" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="gt-nav-link" aria-label={`${tb('more')} · ${tl(group)}`}>
        <Icon icon="MoreHorizontal" size={18} />
        <span>{tb('more')}</span>
      </summary>
      <ul>
        {resources.map((resource) => (
          <ResourceEntries key={resource.id} resource={resource} />
        ))}
      </ul>
    </details>
  );
}

/** The side bar's sections, the most used first. The entry of the shown page is in view. */
export default function SidebarResourceSection({ resources }: { readonly resources: readonly ResourceJSON[] }) {
  const { tl } = useTranslation();
  const rootPath = useRootPath();
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = resources.filter((resource) => resource.href && listOf(resource));
  const here = useResourceHere(shown);
  useEffect(() => {
    // After a section has opened.
    const timer = setTimeout(() => nav.current?.querySelector('.gt-nav-here')?.scrollIntoView({ block: 'nearest' }));
    return () => clearTimeout(timer);
  }, [pathname]);
  return (
    <nav ref={nav} className="gt-nav" aria-label={tl('navigation')}>
      <ul>
        <Entry to={rootPath} icon="Home" end>
          {tl('dashboard')}
        </Entry>
      </ul>
      {GROUPS.map((group) => {
        const members = shown.filter((resource) => resource.navigation?.name === group);
        if (members.length === 0) return null;
        const rare = members.filter((resource) => listOf(resource)?.custom?.['rare']);
        // One more line would save nothing.
        const folded = rare.length > 1 ? rare : [];
        return (
          <section key={group}>
            <h2>{tl(group)}</h2>
            <ul>
              {members
                .filter((resource) => !folded.includes(resource))
                .map((resource) => (
                  <ResourceEntries key={resource.id} resource={resource} />
                ))}
            </ul>
            {folded.length > 0 ? <RareEntries group={group} resources={folded} here={here} /> : null}
          </section>
        );
      })}
    </nav>
  );
}

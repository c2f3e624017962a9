import React from 'react';
import { useTranslation } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { useSelector } from 'react-redux';
import { NavLink, useLocation } from 'react-router-dom';
import { actionAddress } from '../shared/actions.js';

const GROUPS = ['operations', 'sales', 'programme', 'settings', 'server'];

function Entry({ to, icon, end, elsewhere, children }) {
  const classOf = ({ isActive }) => `gt-nav-link${isActive && !elsewhere ? ' gt-nav-here' : ''}`;
  return (
    <li>
      <NavLink to={to} end={end} className={classOf}>
        {icon ? <Icon icon={icon} size={18} /> : null}
        <span>{children}</span>
      </NavLink>
    </li>
  );
}

/** The entries of a resource: first those of its pages that are shown in the side bar, then its list. */
function ResourceEntries({ resource }) {
  const { ta, tl } = useTranslation();
  const { pathname } = useLocation();
  const pages = resource.resourceActions.filter(({ custom }) => custom?.side);
  const addresses = pages.map((page) => actionAddress(page, resource.id));
  return (
    <>
      {pages.map((page, index) => (
        <Entry key={page.name} to={addresses[index]} icon={page.icon}>
          {ta(page.label, resource.id)}
        </Entry>
      ))}
      <Entry to={resource.href} icon={resource.navigation?.icon} elsewhere={addresses.includes(pathname)}>
        {tl(resource.name, resource.id)}
      </Entry>
    </>
  );
}

/** The side bar's sections, all expanded, so that staff find an entry without opening menus. */
export default function SidebarResourceSection({ resources }) {
  const { tl } = useTranslation();
  const rootPath = useSelector((state) => state.paths.rootPath);
  const shown = resources.filter((resource) => resource.href && resource.resourceActions.some((action) => action.name === 'list'));
  return (
    <nav className="gt-nav" aria-label={tl('navigation')}>
      <ul>
        <Entry to={rootPath} icon="Home" end>
          {tl('dashboard')}
        </Entry>
      </ul>
      {GROUPS.map((group) => {
        const members = shown.filter((resource) => resource.navigation?.name === group);
        if (members.length === 0) return null;
        return (
          <section key={group}>
            <h2>{tl(group)}</h2>
            <ul>
              {members.map((resource) => (
                <ResourceEntries key={resource.id} resource={resource} />
              ))}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}

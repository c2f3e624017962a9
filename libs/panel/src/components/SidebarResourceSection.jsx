import React from 'react';
import { useTranslation } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { useSelector } from 'react-redux';
import { NavLink } from 'react-router-dom';

const GROUPS = ['operations', 'sales', 'programme', 'settings', 'server'];

function Entry({ to, icon, end, children }) {
  return (
    <li>
      <NavLink to={to} end={end} className={({ isActive }) => `gt-nav-link${isActive ? ' gt-nav-here' : ''}`}>
        {icon ? <Icon icon={icon} size={18} /> : null}
        <span>{children}</span>
      </NavLink>
    </li>
  );
}

/** The sections of the panel under their headings, all open: nobody hunts for one at the door. */
export default function SidebarResourceSection({ resources }) {
  const { tl } = useTranslation();
  const rootPath = useSelector((state) => state.paths.rootPath);
  const shown = resources.filter(
    (resource) => resource.href && resource.resourceActions.some((action) => action.name === 'list'),
  );
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
                <Entry key={resource.id} to={resource.href} icon={resource.navigation?.icon}>
                  {tl(resource.name, resource.id)}
                </Entry>
              ))}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}

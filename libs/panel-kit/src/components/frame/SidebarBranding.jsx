import React from 'react';
import { Link } from 'react-router-dom';
import { useSelector } from 'react-redux';

/** Guichet's logo and name, linked to the start page. */
export default function SidebarBranding() {
  const rootPath = useSelector((state) => state.paths.rootPath);
  return (
    <Link className="gt-brand gt-brand-side" to={rootPath}>
      <img src={window.GUICHET.logo} alt="" width="36" height="36" />
      <span>Guichet</span>
    </Link>
  );
}

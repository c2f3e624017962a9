import { Link } from 'react-router-dom';
import { guichet } from '../page/guichet.js';
import { useRootPath } from '../page/props.js';

/** Guichet's logo and name, linked to the start page. */
export default function SidebarBranding() {
  const rootPath = useRootPath();
  return (
    <nav aria-labelledby="brand">
      <Link className="gt-brand gt-brand-side" to={rootPath}>
        <img src={guichet.logo} alt="" width="36" height="36" />
        <span id="brand">Guichet</span>
      </Link>
    </nav>
  );
}

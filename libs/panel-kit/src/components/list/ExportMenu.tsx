import { useTranslation, type ResourceJSON } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { useLocation } from 'react-router';
import { useClosing } from '../shared/useClosing.js';
import { useRootPath } from '../page/props.js';

/** Downloads of the list with its current filter and order; with `prints` also its tickets or cards as PDF. */
export function ExportMenu({ resource, prints }: { readonly resource: ResourceJSON; readonly prints: string | undefined }) {
  const { tc } = useTranslation();
  const rootPath = useRootPath();
  const { search } = useLocation();
  const menu = useClosing();
  return (
    <details ref={menu} className="gt-row-menu gt-export">
      <summary className="gt-button gt-button-quiet">
        <Icon icon="Download" size={16} /> {tc('Export.title')}
      </summary>
      <ul>
        {['csv', 'xlsx'].map((format) => (
          <li key={format}>
            <a href={`${rootPath}/exports/${resource.id}.${format}${search}`} download>
              <Icon icon={format === 'csv' ? 'FileText' : 'Grid'} size={16} /> {tc(`Export.${format}`)}
            </a>
          </li>
        ))}
        {prints ? (
          <li>
            <a href={`${rootPath}/files/${resource.id}.pdf${search}`} target="_blank" rel="noopener">
              <Icon icon="Printer" size={16} /> {tc(`Export.${prints}`)}
            </a>
          </li>
        ) : null}
      </ul>
    </details>
  );
}

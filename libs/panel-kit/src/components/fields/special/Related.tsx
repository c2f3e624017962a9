import { flat } from 'adminjs';
import { Link } from 'react-router-dom';
import { Badge } from '../../shared/Badge.js';
import { Shown } from '../../shared/Field.js';
import { dayAndTime } from '../../shared/times.js';
import type { ShownProps } from '../../page/props.js';
import type { RelatedItem, RelatedView } from '../../../actions/related.js';

function Title({ title, href, isOutside }: RelatedItem) {
  if (!href) return <>{title}</>;
  if (!isOutside) return <Link to={href}>{title}</Link>;
  return (
    <a href={href} target="_blank" rel="noopener">
      {title}
    </a>
  );
}

function Item({ item: { title, href, isOutside, details, at, badge } }: { readonly item: RelatedItem }) {
  return (
    <li>
      <span className="gt-related-title">
        <Title {...{ title, ...(href && { href }), ...(isOutside && { isOutside }) }} />
      </span>
      {badge ? <Badge tone={badge.tone}>{badge.text}</Badge> : null}
      {at || details ? (
        <span className="gt-small">
          {at ? <time dateTime={at}>{dayAndTime(at)}</time> : null}
          {at && details ? ' · ' : ''}
          {details}
        </span>
      ) : null}
    </li>
  );
}

/** Records that are related to the shown one, and a link that creates another. */
export default function Related({ property, record }: ShownProps) {
  const view: RelatedView | null | undefined = flat.get(record.params, property.path);
  const { items = [], add }: Partial<RelatedView> = view ?? {};
  return (
    <Shown property={property}>
      {items.length > 0 ? (
        <ul className="gt-related">
          {items.map((item, index) => (
            <Item key={`${item.href}-${index}`} item={item} />
          ))}
        </ul>
      ) : (
        <span className="gt-absent">–</span>
      )}
      {add ? (
        <p>
          <Link to={add.href} className="gt-button gt-button-quiet gt-button-small">
            {add.label}
          </Link>
        </p>
      ) : null}
    </Shown>
  );
}

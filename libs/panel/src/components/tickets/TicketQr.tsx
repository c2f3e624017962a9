import { useTranslation } from 'adminjs';
import { Copy } from '#panel-kit/components/shared/Copy.js';
import { Shown } from '#panel-kit/components/shared/Field.js';
import type { ShownProps } from '#panel-kit/components/page/props.js';

/** The ticket's QR code as an image and as text, on the detail page. */
export default function TicketQr({ property, record }: ShownProps) {
  const { tc } = useTranslation();
  const picture = record.params[`${property.path}.picture`];
  const text = record.params[`${property.path}.text`];
  return (
    <Shown property={property}>
      {picture ? (
        <div className="gt-ticket-qr">
          <img className="gt-qr gt-qr-small" src={picture} alt={tc('TicketQr.picture')} />
          <Copy label={tc('TicketQr.text')} text={text} />
        </div>
      ) : (
        <p>{tc('TicketQr.unavailable')}</p>
      )}
    </Shown>
  );
}

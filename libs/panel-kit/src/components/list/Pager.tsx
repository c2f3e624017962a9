import { useTranslation } from 'adminjs';

/** Links to the previous and the next page, and the number of the current one. */
export function Pager({
  page,
  perPage,
  total,
  onChange,
}: {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly onChange: (page: number) => void;
}) {
  const { tb, tl } = useTranslation();
  const pages = Math.ceil(total / perPage);
  if (!(pages > 1)) return null;
  return (
    <nav className="gt-pager" aria-label={tl('pageOf', { page, pages })}>
      <button
        type="button"
        className="gt-button gt-button-quiet"
        disabled={page <= 1}
        aria-label={tb('previousPage')}
        onClick={() => onChange(page - 1)}
      >
        ‹
      </button>
      <span aria-current="page">{tl('pageOf', { page, pages })}</span>
      <button
        type="button"
        className="gt-button gt-button-quiet"
        disabled={page >= pages}
        aria-label={tb('nextPage')}
        onClick={() => onChange(page + 1)}
      >
        ›
      </button>
    </nav>
  );
}

import { Link, useSearchParams } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Collecting } from './bulk/SelectionBar.tsx'
import styles from './ManageMedia.module.css'
import { OwnLibrary } from './OwnLibrary.tsx'
import { texts } from './texts.ts'

const DeletedMedia = lazyPart(() =>
  import('./deleted/DeletedMedia.tsx').then((module) => module.DeletedMedia),
)

const VIEWS = [
  { view: null, label: texts.pages.library, to: paths.manageMedia },
  { view: 'deleted', label: texts.pages.deleted, to: `${paths.manageMedia}?view=deleted` },
] as const

/** The person’s own media: what is in the library, and what was lately deleted from it (docs/product.md, Pages). */
export function ManageMedia({ collecting }: { collecting: readonly Collecting[] }) {
  const [address] = useSearchParams()
  const deleted = address.get('view') === 'deleted'
  return (
    <>
      <nav className={styles.views} aria-label={texts.pages.label}>
        {VIEWS.map(({ view, label, to }) => (
          <Link
            key={label}
            className={styles.view}
            to={to}
            preventScrollReset
            aria-current={deleted === (view === 'deleted') ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {deleted ? <DeletedMedia /> : <OwnLibrary collecting={collecting} />}
    </>
  )
}

import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { toast } from '../../../ui/toast.ts'
import { useImport } from './api.ts'
import styles from './subreddits.module.css'
import { manageTexts as texts } from './texts.ts'

const AddToListDialog = lazyPart(() =>
  import('./AddToListDialog.tsx').then((module) => module.AddToListDialog),
)

/** The actions for the chosen subreddits together. */
export function SelectionBar({ names, onClear }: { names: readonly string[]; onClear: () => void }) {
  const refresh = useImport()
  const [adding, setAdding] = useState(false)
  const addNeeded = useLatch(adding)
  return (
    <section className={styles.bar} aria-label={texts.selection}>
      <p role="status" className={styles.count}>
        {texts.selected(names.length)}
      </p>
      <div className={styles.actions}>
        <Button variant="default" onClick={() => setAdding(true)}>
          {texts.addToList}
        </Button>
        <Button
          variant="default"
          loading={refresh.isPending}
          onClick={() =>
            refresh.mutate(names, {
              onSuccess: () => toast.success(texts.refreshing(names.length)),
              onError: (error) => toast.failure(errorMessage(error)),
            })
          }
        >
          {texts.refresh}
        </Button>
        <Button variant="subtle" onClick={onClear}>
          {texts.clear}
        </Button>
      </div>
      {addNeeded && <AddToListDialog names={names} opened={adding} onClose={() => setAdding(false)} />}
    </section>
  )
}

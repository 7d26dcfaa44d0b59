import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentUser } from '../../../lib/session.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { listQuery, listsQuery, mayEdit } from './api.ts'
import { ListEditor } from './ListEditor.tsx'
import { ListInRow } from './ListInRow.tsx'
import styles from './lists.module.css'
import { dialogTexts, editorTexts, listTexts } from './texts.ts'

/** The person’s lists in a dialog, each to be viewed and edited there; closing asks while something isn’t saved. */
export function ListsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [listId, setListId] = useState<string | null>(null)
  const [isDirty, setDirty] = useState(false)
  /** Where the person wants to go from a list with changes that aren’t saved. */
  const [leaving, setLeaving] = useState<'close' | 'back' | null>(null)
  const back = () => {
    setDirty(false)
    setListId(null)
  }
  const go = (to: 'close' | 'back') => {
    if (isDirty) return setLeaving(to)
    back()
    if (to === 'close') onClose()
  }
  return (
    <>
      <Dialog
        opened={opened}
        onClose={() => go('close')}
        title={listId === null ? dialogTexts.lists : dialogTexts.list}
        closable={leaving === null}
      >
        {listId === null ? (
          <Lists onOpen={setListId} />
        ) : (
          <div className={styles.parts}>
            <div>
              <Button variant="default" size="sm" onClick={() => go('back')}>
                {dialogTexts.back}
              </Button>
            </div>
            <OneList key={listId} listId={listId} onDirty={setDirty} />
          </div>
        )}
      </Dialog>
      {/* Mounted when it opens: a waiting one would get the Escape that opens it, and close. */}
      {leaving !== null && (
        <ConfirmDialog
          opened
          onClose={() => setLeaving(null)}
          title={dialogTexts.leaveTitle}
          confirmLabel={dialogTexts.leave}
          cancelLabel={dialogTexts.stay}
          stays
          onConfirm={async () => {
            back()
            if (leaving === 'close') onClose()
          }}
        >
          <p>{editorTexts.lost}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Lists({ onOpen }: { onOpen: (listId: string) => void }) {
  const me = useCurrentUser()
  const lists = useQuery(listsQuery)
  return (
    <Fetched query={lists} waiting={<SkeletonLines lines={4} />} failed={listTexts.failed}>
      {({ items }) =>
        items.length === 0 ? (
          <p className={styles.quiet}>{listTexts.none}</p>
        ) : (
          <ul className={styles.list} aria-label={listTexts.lists}>
            {items.map((list) => {
              const isEditable = mayEdit(me, list)
              return (
                <ListInRow key={list._id} list={list}>
                  <Button
                    variant="default"
                    size="sm"
                    aria-label={isEditable ? listTexts.editOf(list.title) : listTexts.viewOf(list.title)}
                    onClick={() => onOpen(list._id)}
                  >
                    {isEditable ? listTexts.edit : listTexts.view}
                  </Button>
                </ListInRow>
              )
            })}
          </ul>
        )
      }
    </Fetched>
  )
}

function OneList({ listId, onDirty }: { listId: string; onDirty: (isDirty: boolean) => void }) {
  const list = useQuery(listQuery(listId))
  return (
    <Fetched query={list} waiting={<SkeletonLines lines={6} />} failed={editorTexts.failed}>
      {(data) => <ListEditor list={data} onDirty={onDirty} />}
    </Fetched>
  )
}

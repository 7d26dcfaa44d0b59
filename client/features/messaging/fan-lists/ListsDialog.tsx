import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fanListRoutes } from '../../../../contract/routes/messaging/fan-lists.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import { type FanList, fanChanges, fanListsQuery, useDeleteFanList } from './api.ts'
import styles from './fan-lists.module.css'
import { fanTexts as texts } from './texts.ts'

/** The creator's lists of fans, to create, rename and delete. */
export function ListsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const lists = useQuery(fanListsQuery)
  const [renaming, setRenaming] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<FanList | null>(null)
  const remove = useDeleteFanList()
  return (
    <>
      <Dialog opened={opened && !deleting} onClose={onClose} title={texts.manage}>
        <div className={styles.parts}>
          <Fetched query={lists} failed={texts.listsFailed}>
            {({ items }) =>
              items.length === 0 ? (
                <p className={styles.about}>{texts.noLists}</p>
              ) : (
                <ul className={styles.list} aria-label={texts.lists}>
                  {items.map((list) => (
                    <li key={list._id} className={styles.row}>
                      {renaming === list._id ? (
                        <NameForm list={list} onDone={() => setRenaming(null)} />
                      ) : (
                        <>
                          <div className={styles.words}>
                            <p className={styles.name}>{list.name}</p>
                            <p className={styles.about}>{texts.people(list.members)}</p>
                          </div>
                          <div className={styles.actions}>
                            <Button
                              variant="default"
                              size="sm"
                              aria-label={texts.renameOf(list.name)}
                              onClick={() => setRenaming(list._id)}
                            >
                              {texts.rename}
                            </Button>
                            <Button
                              variant="subtle"
                              size="sm"
                              aria-label={texts.deleteOf(list.name)}
                              onClick={() => setDeleting(list)}
                            >
                              {texts.delete}
                            </Button>
                          </div>
                        </>
                      )}
                    </li>
                  ))}
                </ul>
              )
            }
          </Fetched>
          <NewList />
        </div>
      </Dialog>
      <ConfirmDialog
        opened={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.deleteTitle(deleting?.name ?? '')}
        confirmLabel={texts.delete}
        destructive
        onConfirm={async () => {
          if (deleting) await remove.mutateAsync(deleting._id)
          toast.success(texts.deleted)
        }}
      >
        <p>{texts.deleteEffect}</p>
      </ConfirmDialog>
    </>
  )
}

/** A button that becomes the form for another list. */
export function NewList() {
  const [naming, setNaming] = useState(false)
  if (naming) return <NameForm list={null} onDone={() => setNaming(false)} />
  return (
    <Button variant="default" size="sm" onClick={() => setNaming(true)}>
      {texts.newList}
    </Button>
  )
}

/** Names a new list, or another name for one. */
function NameForm({ list, onDone }: { list: FanList | null; onDone: () => void }) {
  const form = useContractForm(fanListRoutes.saveFanList, {
    initial: { name: list?.name ?? '' },
    body: ({ name }) => ({ name, ...(list ? { listId: list._id } : {}) }),
    onSuccess: () => {
      toast.success(list ? texts.renamed : texts.created)
      onDone()
    },
    meta: fanChanges,
    lost: null,
  })
  return (
    <ContractForm
      form={form}
      className={styles.naming}
      label={list ? texts.renameOf(list.name) : texts.newList}
    >
      <TextField label={texts.name} {...form.field('name')} />
      <FormError>{form.error}</FormError>
      <div className={styles.actions}>
        <Button type="submit" size="sm" loading={form.pending}>
          {list ? texts.saveName : texts.create}
        </Button>
        <Button variant="subtle" size="sm" onClick={onDone}>
          {texts.cancel}
        </Button>
      </div>
    </ContractForm>
  )
}

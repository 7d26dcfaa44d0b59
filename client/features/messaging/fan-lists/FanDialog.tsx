import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fanListRoutes } from '../../../../contract/routes/messaging/fan-lists.ts'
import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { type FanList, fanChanges, fanListsQuery, fanQuery, type OneFan, useListed } from './api.ts'
import styles from './fan-lists.module.css'
import { NewList } from './ListsDialog.tsx'
import { fanTexts as texts } from './texts.ts'

type Person = { _id: string; username: string }

/** On which of the creator's lists somebody is, and the creator's note on them. */
export function FanDialog({ person, onClose }: { person: Person | null; onClose: () => void }) {
  // The words stay while the dialog closes.
  const [last, setLast] = useState(person)
  if (person && person !== last) setLast(person)
  if (!last) return null
  return (
    <Dialog opened={person !== null} onClose={onClose} title={texts.editOf(last.username)}>
      {person && <Inside key={person._id} personId={person._id} onSaved={onClose} />}
    </Dialog>
  )
}

function Inside({ personId, onSaved }: { personId: string; onSaved: () => void }) {
  const query = useQuery(fanQuery(personId))
  return (
    <Fetched query={query} waiting={<SkeletonLines lines={4} />} failed={texts.loadFailed}>
      {(fan) => (
        <div className={styles.parts}>
          <Lists fan={fan} />
          <Note fan={fan} onSaved={onSaved} />
        </div>
      )}
    </Fetched>
  )
}

function Lists({ fan }: { fan: OneFan }) {
  const lists = useQuery(fanListsQuery)
  const listed = useListed(fan._id)
  // A ticked box shows at once, whatever the server's answer.
  const [on, setOn] = useState<ReadonlySet<string>>(() => new Set(fan.listIds))
  const put = (listId: string, isOn: boolean) =>
    setOn((before) => new Set(isOn ? [...before, listId] : [...before].filter((one) => one !== listId)))
  // The server adds nobody else to a list, but lets everybody go.
  const isOffered = ({ _id }: FanList) => fan.listable || on.has(_id)
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{texts.lists}</legend>
      {!fan.listable && <p className={styles.about}>{texts.notListable}</p>}
      <Fetched query={lists} waiting={<SkeletonLines lines={2} />} failed={texts.listsFailed}>
        {({ items }) => (
          <>
            {fan.listable && items.length === 0 && <p className={styles.about}>{texts.noLists}</p>}
            {items.filter(isOffered).map(({ _id, name }) => (
              <label key={_id} className={styles.choice}>
                <input
                  type="checkbox"
                  checked={on.has(_id)}
                  onChange={(event) => {
                    const isOn = event.currentTarget.checked
                    put(_id, isOn)
                    // Each is told of, also where another one follows before its answer.
                    listed.mutateAsync({ listId: _id, listed: isOn }).catch((error: unknown) => {
                      put(_id, !isOn)
                      toast.failure(errorMessage(error))
                    })
                  }}
                />
                <span>{name}</span>
              </label>
            ))}
          </>
        )}
      </Fetched>
      {fan.listable && <NewList />}
    </fieldset>
  )
}

function Note({ fan, onSaved }: { fan: OneFan; onSaved: () => void }) {
  const form = useContractForm(fanListRoutes.setFanNote, {
    initial: { note: fan.note },
    body: ({ note }) => ({ fanId: fan._id, note }),
    onSuccess: () => {
      toast.success(texts.saved)
      onSaved()
    },
    meta: fanChanges,
    lost: texts.lost,
  })
  return (
    <ContractForm form={form} className={styles.parts}>
      <TextAreaField label={texts.note} description={texts.noteHint} minRows={3} {...form.field('note')} />
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending} fullWidth>
        {texts.save}
      </Button>
    </ContractForm>
  )
}

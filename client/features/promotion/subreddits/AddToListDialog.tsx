import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { useDialogWaits } from '../../../lib/unsaved.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { type ListInShort, listsQuery, mayEdit, useAddToList } from '../lists/api.ts'
import { refusalSentence } from '../parts/refusals.ts'
import styles from './subreddits.module.css'
import { addTexts as texts } from './texts.ts'

type AddToListDialogProps = { names: readonly string[]; opened: boolean; onClose: () => void }

/** Adds the chosen subreddits to a list that the person may change. */
export function AddToListDialog({ names, opened, onClose }: AddToListDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title(names.length)}>
      <Choosing names={names} onDone={onClose} />
    </Dialog>
  )
}

function Choosing({ names, onDone }: { names: readonly string[]; onDone: () => void }) {
  const me = useCurrentUser()
  const lists = useQuery(listsQuery)
  return (
    <Fetched query={lists} waiting={<SkeletonLines lines={2} />} failed={texts.failed}>
      {({ items }) => {
        const editable = items.filter((list) => mayEdit(me, list))
        if (editable.length > 0) return <Choice editable={editable} names={names} onDone={onDone} />
        return (
          <div className={styles.parts}>
            <p>{texts.none}</p>
            <LinkButton variant="default" to={promotionPaths.lists}>
              {texts.toLists}
            </LinkButton>
          </div>
        )
      }}
    </Fetched>
  )
}

type ChoiceProps = { editable: readonly ListInShort[]; names: readonly string[]; onDone: () => void }

function Choice({ editable, names, onDone }: ChoiceProps) {
  const add = useAddToList()
  const [listId, setListId] = useState('')
  useDialogWaits(add.isPending)
  const submit = () =>
    add.mutate(
      { listId, names },
      {
        onSuccess: ({ title, refused }) => {
          toast.success(texts.done(title))
          if (refused.length > 0) toast.failure(refused.map(refusalSentence).join(' '))
          onDone()
        },
      },
    )
  return (
    <Form onSubmit={() => listId !== '' && !add.isPending && submit()}>
      <SelectField
        label={texts.list}
        value={listId}
        choices={[
          { value: '', label: texts.choose },
          ...editable.map(({ _id, title, siteWide }) => ({
            value: _id,
            label: siteWide ? texts.siteWide(title) : title,
          })),
        ]}
        onChange={setListId}
      />
      <FormError>{add.error && errorMessage(add.error)}</FormError>
      <Button type="submit" loading={add.isPending} disabled={listId === ''}>
        {texts.submit}
      </Button>
    </Form>
  )
}

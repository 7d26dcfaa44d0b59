import { IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { MAX_SUBREDDITS_CHOSEN } from '../../../../contract/promotion.ts'
import { subredditListRoutes } from '../../../../contract/routes/promotion/lists.ts'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import { changesOf } from '../parts/edited.ts'
import { leaveRow } from '../parts/focus.ts'
import { refusalSentence } from '../parts/refusals.ts'
import { ToolButton } from '../parts/ToolButton.tsx'
import { AddSubreddits } from './AddSubreddits.tsx'
import { listChanges, listQuery, mayEdit, type SubredditList, withNames, withoutRefused } from './api.ts'
import styles from './lists.module.css'
import { editorTexts as texts } from './texts.ts'

type ListEditorProps = {
  list: SubredditList
  /** Told whether something isn’t saved yet. */
  onDirty?: (isDirty: boolean) => void
}

/** Title, subreddits, and search setting of a list; read-only for who may not change it. */
export function ListEditor({ list, onDirty }: ListEditorProps) {
  const me = useCurrentUser()
  if (!mayEdit(me, list))
    return (
      <div className={styles.parts}>
        <p className={styles.quiet}>{texts.readOnly}</p>
        <Selected names={list.subreddits} />
      </div>
    )
  return <EditableList list={list} onDirty={onDirty} />
}

function EditableList({ list, onDirty }: { list: SubredditList; onDirty: ListEditorProps['onDirty'] }) {
  const client = useQueryClient()
  const form = useContractForm(subredditListRoutes.updateSubredditList, {
    initial: {
      title: list.title,
      subreddits: withNames([], list.subreddits),
      removeFromSearch: list.removeFromSearch,
    },
    body: (values, kept) => ({ listId: list._id, ...changesOf(values, kept) }),
    send: async (body) => ({
      ...(await call(routes.updateSubredditList, { body })),
      subreddits: body.subreddits,
    }),
    afterSaved: ({ refused }, sent, now) => ({
      saved: { ...sent, subreddits: withoutRefused(sent.subreddits, refused) },
      values: { ...now, subreddits: withoutRefused(now.subreddits, refused) },
    }),
    onSuccess: ({ refused, subreddits, ...saved }) => {
      client.setQueryData(
        listQuery(list._id).queryKey,
        (known) =>
          known && {
            ...known,
            ...saved,
            ...(subreddits ? { subreddits: withoutRefused(subreddits, refused) } : {}),
          },
      )
      toast.success(texts.updated)
      if (refused.length > 0) toast.failure(refused.map(refusalSentence).join(' '))
    },
    meta: listChanges,
    lost: texts.lost,
  })
  const { dirty } = form
  useEffect(() => {
    onDirty?.(dirty)
  }, [dirty, onDirty])
  const { subreddits, removeFromSearch } = form.values
  const isFull = subreddits.length >= MAX_SUBREDDITS_CHOSEN
  return (
    <div className={styles.editor}>
      <AddSubreddits
        chosen={subreddits}
        disabled={isFull}
        onAdd={(name) => form.set('subreddits', (before) => withNames(before, [name]))}
      />
      <ContractForm form={form} className={styles.parts}>
        <TextField label={texts.name} required {...form.field('title')} />
        <ChoiceField
          label={texts.removeFromSearch}
          choices={[
            { value: 'true', label: texts.yes, description: texts.yesHint },
            { value: 'false', label: texts.no, description: texts.noHint },
          ]}
          value={removeFromSearch ? 'true' : 'false'}
          onChange={(value) => form.set('removeFromSearch', value === 'true')}
        />
        <Selected
          names={subreddits}
          onRemove={(name) => form.set('subreddits', (before) => before.filter((one) => one !== name))}
        />
        {isFull && <p className={styles.quiet}>{texts.full}</p>}
        <FormError>{form.errorAt('subreddits') ?? form.error}</FormError>
        <div>
          <Button type="submit" loading={form.pending}>
            {texts.submit}
          </Button>
        </div>
      </ContractForm>
    </div>
  )
}

function Selected({ names, onRemove }: { names: readonly string[]; onRemove?: (name: string) => void }) {
  return (
    <section className={styles.selected} aria-label={texts.onThisList}>
      <h2 className={styles.heading}>{texts.selected(names.length)}</h2>
      {names.length === 0 && <p className={styles.quiet}>{texts.nothing}</p>}
      <div className={onRemove && styles.scroll}>
        <ul>
          {names.map((name) => (
            <li key={name} className={styles.one}>
              <span className={styles.name}>r/{name}</span>
              {onRemove && (
                <ToolButton
                  label={texts.remove(name)}
                  Icon={IconX}
                  onClick={({ currentTarget }) => {
                    leaveRow(currentTarget)
                    onRemove(name)
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

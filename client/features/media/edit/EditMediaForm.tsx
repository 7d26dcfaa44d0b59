import { Button, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { errors } from '../../../../contract/errors.ts'
import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { useConfig } from '../../../lib/config.ts'
import { paths } from '../../../lib/paths.ts'
import { TextField } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { MoneyInput } from '../../../ui/MoneyInput.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { UnsavedChanges } from '../../../ui/UnsavedChanges.tsx'
import { type Media, useEditMedia } from '../api.ts'
import { EmbedAddress } from '../embed/EmbedAddress.tsx'
import { DeleteMediaDialog } from '../manage/DeleteMediaDialog.tsx'
import { TagSelect } from '../tags/TagSelect.tsx'
import styles from './EditMediaForm.module.css'
import { changeOf, type Draft, draftAfter, draftErrors, draftOf, isChanged } from './edit-form.ts'
import { Performers } from './Performers.tsx'
import { EditablePreview } from './Preview.tsx'
import { useReplacement } from './replacement.ts'
import { UnlockForFan } from './UnlockForFan.tsx'
import { VisibilityFields } from './VisibilityFields.tsx'

type EditMediaFormProps = {
  media: Media
  /** It is the acting person’s own; else the operator changes somebody’s. */
  own: boolean
  /** Its owner sells and shows. */
  sells: boolean
  /** The acting person may unlock it for somebody. */
  unlocks: boolean
}

/** Everything that can be changed of an item (docs/product.md, Pages, Media edit form). Nothing typed is lost when it fails. */
export function EditMediaForm({ media, own, sells, unlocks }: EditMediaFormProps) {
  const navigate = useNavigate()
  const config = useConfig()
  const edit = useEditMedia(media._id)
  const [saved, setSaved] = useState(() => draftOf(media))
  const [draft, setDraft] = useState(saved)
  const [checked, setChecked] = useState(false)
  const [reason, setReason] = useState('')
  const replacing = useReplacement(media._id, own ? undefined : reason)
  const [deleting, setDeleting] = useState<readonly Media[] | null>(null)
  const leaving = useRef(false)
  const fields = { embed: media.redGif !== '', sells, own }
  const found = draftErrors(draft, fields)
  const refused = edit.error instanceof ApiError ? edit.error.details : {}
  const errorOf = (name: keyof typeof found) => (checked ? found[name] : undefined) ?? refused[name]

  const change = (part: Partial<Draft> | ((before: Draft) => Partial<Draft>)) => {
    setDraft((before) => ({ ...before, ...(typeof part === 'function' ? part(before) : part) }))
    edit.reset()
  }
  const save = () => {
    setChecked(true)
    if (Object.keys(found).length > 0) return
    edit.mutate(own ? changeOf(draft, saved, fields) : { ...changeOf(draft, saved, fields), reason }, {
      onSuccess: (fresh) => {
        setReason('')
        const kept = draftOf(fresh)
        setSaved(kept)
        setDraft((now) => draftAfter(now, draft, kept))
      },
    })
  }
  const lost = isChanged(draft, saved)
    ? 'What you changed here is not saved yet.'
    : replacing.state.phase === 'sending'
      ? 'The new file is still on its way; leaving stops it.'
      : null
  return (
    <div className={styles.columns}>
      <div className={styles.side}>
        <EditablePreview
          media={fields.embed ? { ...media, redGif: redGifEmbedUrl(draft.redGif) || media.redGif } : media}
          replacing={replacing}
          own={own}
        />
      </div>
      <div className={styles.main}>
        <Form onSubmit={save}>
          {!own && (
            <p className={styles.by}>
              This belongs to <TextLink to={paths.profile(media.username)}>{media.username}</TextLink>. What
              you change is written to the audit log.
            </p>
          )}
          <TextField
            label={fields.embed ? 'Title (optional)' : 'Title'}
            value={draft.title}
            onChange={(title) => change({ title })}
            error={errorOf('title')}
            required={!fields.embed}
          />
          {fields.embed && (
            <EmbedAddress
              value={draft.redGif}
              onChange={(redGif) => change({ redGif })}
              error={errorOf('redGif')}
            />
          )}
          <Textarea
            label="Description"
            autosize
            minRows={3}
            maxRows={12}
            value={draft.description}
            onChange={(event) => change({ description: event.currentTarget.value })}
            error={errorOf('description') ?? null}
          />
          <TagSelect
            label="Tags"
            value={draft.tagIds}
            onChange={(tagIds) => change({ tagIds })}
            error={refused.tagIds}
            creatable={sells}
          />
          {sells && (
            <>
              <MoneyInput
                label="Price"
                description="What it costs when it is sold by itself."
                value={draft.price}
                onChange={(price) => change({ price })}
                error={errorOf('price')}
              />
              <div className={styles.part}>
                <VisibilityFields value={draft.flags} onChange={(flags) => change({ flags })} />
                {config?.features.publishing === false && (
                  <p className={styles.closed}>{errors.publishing_closed.text}</p>
                )}
              </div>
            </>
          )}
          {sells && own && (
            <div className={styles.part}>
              <Performers
                value={draft.performerIds}
                onChange={(turn) => change(({ performerIds }) => ({ performerIds: turn(performerIds) }))}
                error={errorOf('performerIds')}
              />
            </div>
          )}
          {!own && (
            <TextField
              label="Reason"
              description="Kept in the audit log."
              value={reason}
              onChange={setReason}
              error={refused.reason}
              required
            />
          )}
          <div className={styles.bar}>
            <FormError>{edit.isError ? errorMessage(edit.error) : null}</FormError>
            <div className={styles.actions}>
              <Button type="submit" loading={edit.isPending}>
                Save
              </Button>
              <p className={styles.saved} role="status">
                {edit.isSuccess ? (
                  'Successfully updated!'
                ) : (
                  <span className={styles.unsaved}>{isChanged(draft, saved) && 'Not saved yet'}</span>
                )}
              </p>
              <Button
                variant="subtle"
                color="red"
                leftSection={<IconTrash size={18} stroke={1.75} aria-hidden />}
                onClick={() => setDeleting([media])}
              >
                Delete
              </Button>
            </div>
          </div>
        </Form>
        {unlocks && <UnlockForFan mediaId={media._id} />}
      </div>
      <DeleteMediaDialog
        items={deleting}
        onClose={() => setDeleting(null)}
        onDeleted={() => {
          leaving.current = true
          void navigate(own ? paths.manageMedia : paths.profile(media.username), { replace: true })
        }}
      />
      <UnsavedChanges lost={lost} leaving={leaving} />
    </div>
  )
}

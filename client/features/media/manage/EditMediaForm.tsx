import { Button, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { errors } from '../../../../contract/errors.ts'
import { parseMoney } from '../../../../contract/money.ts'
import { FLAG_NAMES, type Flags } from '../../../../contract/visibility.ts'
import { ApiError, sentenceOf } from '../../../lib/api.ts'
import { useConfig } from '../../../lib/config.ts'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { MoneyInput } from '../../../ui/MoneyInput.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { type Media, mediaQuery, useEditMedia } from '../api.ts'
import { VideoPlayer } from '../player/VideoPlayer.tsx'
import { WallTile } from '../wall/WallTile.tsx'
import { DeleteMediaDialog } from './DeleteMediaDialog.tsx'
import styles from './EditMediaForm.module.css'
import { VisibilityFields } from './VisibilityFields.tsx'

/** Title, description, price and flags of an own item (promotion-tools §2, Media edit form). */
export function EditMedia({ mediaId }: { mediaId: string }) {
  const person = useCurrentUser()
  const media = useQuery({
    ...mediaQuery(mediaId),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  })
  if (media.isPending || (media.isFetching && !media.isFetchedAfterMount)) return <SkeletonLines lines={6} />
  if (media.isError) {
    const gone = media.error instanceof ApiError && media.error.status === 404
    return gone ? (
      <EmptyState
        title="This media could not be found."
        action={<LinkButton to={paths.manageMedia}>Manage media</LinkButton>}
      />
    ) : (
      <ErrorState
        title="This media could not be loaded"
        error={media.error}
        onRetry={() => void media.refetch()}
      />
    )
  }
  if (media.data.creatorId !== person._id) {
    return (
      <EmptyState
        title={errors.not_owner[1]}
        action={<LinkButton to={paths.manageMedia}>Manage media</LinkButton>}
      />
    )
  }
  return <EditMediaForm media={media.data} sells={person.isCreator} />
}

type Draft = { title: string; description: string; price: string; flags: Flags }

function draftOf(media: Media): Draft {
  const flags = Object.fromEntries(FLAG_NAMES.map((name) => [name, media[name]])) as Flags
  return { title: media.title, description: media.description, price: media.price, flags }
}

function EditMediaForm({ media, sells }: { media: Media; sells: boolean }) {
  const navigate = useNavigate()
  const config = useConfig()
  const edit = useEditMedia(media._id)
  const [draft, setDraft] = useState(() => draftOf(media))
  const [checked, setChecked] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    edit.reset()
  }
  const refused = edit.error instanceof ApiError ? edit.error.details : {}
  const titleError =
    checked && draft.title.trim() === '' && media.redGif === '' ? errors.must_include_title[1] : undefined
  const priceError = checked && parseMoney(draft.price) === null ? errors.must_include_price[1] : undefined

  const save = () => {
    setChecked(true)
    if ((draft.title.trim() === '' && media.redGif === '') || parseMoney(draft.price) === null) return
    const { title, description, price, flags } = draft
    edit.mutate(sells ? { title, description, price, ...flags } : { title, description })
  }
  return (
    <div className={styles.columns}>
      <div className={styles.preview}>
        {media.type === 'video' ? (
          <VideoPlayer media={media} />
        ) : (
          <WallTile
            media={media}
            onOpen={() => void navigate(paths.media(media._id))}
            ratio={Math.max(0.6, media.width / media.height)}
            sizes="(min-width: 62em) 26rem, 100vw"
            eager
          />
        )}
        <LinkButton to={paths.media(media._id)} variant="default">
          View Media
        </LinkButton>
      </div>
      <Form onSubmit={save}>
        <TextField
          label="Title"
          value={draft.title}
          onChange={(title) => change({ title })}
          error={titleError ?? refused.title}
          required
        />
        <Textarea
          label="Description"
          autosize
          minRows={3}
          maxRows={12}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
          error={refused.description ?? null}
        />
        {sells && (
          <>
            <MoneyInput
              label="Price"
              description="What it costs when it is sold by itself."
              defaultValue={media.price}
              onChange={(price) => change({ price })}
              error={priceError ?? refused.price}
            />
            <VisibilityFields value={draft.flags} onChange={(flags) => change({ flags })} />
            {config?.features.publishing === false && (
              <p className={styles.closed}>{errors.publishing_closed[1]}</p>
            )}
          </>
        )}
        <FormError>
          {edit.isError && Object.keys(refused).length === 0 ? sentenceOf(edit.error) : null}
        </FormError>
        <div className={styles.actions}>
          <Button type="submit" loading={edit.isPending}>
            Save
          </Button>
          <p className={styles.saved} role="status">
            {edit.isSuccess && 'Media Updated!'}
          </p>
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={18} stroke={1.75} aria-hidden />}
            onClick={() => setDeleting(true)}
          >
            Delete
          </Button>
        </div>
      </Form>
      <DeleteMediaDialog
        media={deleting ? media : null}
        onClose={() => setDeleting(false)}
        onDeleted={() => void navigate(paths.manageMedia, { replace: true })}
      />
    </div>
  )
}

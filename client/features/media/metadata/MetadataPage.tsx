import { NativeSelect } from '@mantine/core'
import { IconPhotoCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { libraryRoutes } from '../../../../contract/routes/media/library.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import type { Media } from '../api.ts'
import { metadataQuery, useEditMedia } from '../edit/api.ts'
import { DurationField } from '../edit/DurationField.tsx'
import { nameOf } from '../manage/words.ts'
import { WallTile } from '../parts/wall/WallTile.tsx'
import styles from './MetadataPage.module.css'
import { metadataTexts } from './texts.ts'

type Type = Media['type']
type Shown = Type | ''

/** Type and duration of everybody's uploaded items, for the operator to correct (docs/product.md, Pages, Media metadata admin list). */
export function Component() {
  const [shown, setShown] = useState<Shown>('')
  const list = useList(metadataQuery(shown || undefined))
  return (
    <Page title={metadataTexts.title} lead={metadataTexts.lead}>
      <div className={styles.page}>
        <NativeSelect
          label={metadataTexts.show}
          size="md"
          className={styles.filter ?? ''}
          value={shown}
          onChange={(event) => setShown(event.currentTarget.value as Shown)}
          data={[
            { value: '', label: metadataTexts.all },
            { value: 'image', label: metadataTexts.photos },
            { value: 'video', label: metadataTexts.videos },
          ]}
        />
        <GrowingList
          list={list}
          waiting={<SkeletonLines lines={8} />}
          empty={
            <EmptyState Icon={IconPhotoCheck} title={metadataTexts.emptyTitle}>
              {metadataTexts.empty}
            </EmptyState>
          }
        >
          <ul className={styles.list} aria-label={metadataTexts.list}>
            {list.items
              .filter(({ redGif }) => redGif === '')
              .map((media) => (
                <MetadataRow key={media._id} media={media} />
              ))}
          </ul>
        </GrowingList>
      </div>
    </Page>
  )
}

function MetadataRow({ media }: { media: Media }) {
  const navigate = useNavigate()
  const edit = useEditMedia(media._id)
  const form = useContractForm(libraryRoutes.editMedia, {
    initial: { type: media.type, duration: media.duration },
    body: ({ type, duration }) => ({
      type,
      reason: metadataTexts.reason,
      ...(type === 'video' && duration !== null ? { duration: Math.floor(duration) } : {}),
    }),
    send: (change) => edit.mutateAsync(change),
    lost: metadataTexts.lost,
  })
  const { type, duration } = form.values
  const name = nameOf(media)
  return (
    <li className={styles.row}>
      <div className={styles.picture}>
        <WallTile media={media} onOpen={() => void navigate(paths.media(media._id))} ratio={1} sizes="7rem" />
      </div>
      <ContractForm form={form} className="">
        <fieldset className={styles.fields} aria-label={metadataTexts.of(name)}>
          <p className={styles.name}>
            <Link to={paths.media(media._id)} className={styles.title}>
              {name}
            </Link>
            <span className={styles.by}>{metadataTexts.by(media.username)}</span>
          </p>
          <NativeSelect
            label={metadataTexts.type}
            size="md"
            value={type}
            onChange={(event) => form.set('type', event.currentTarget.value === 'video' ? 'video' : 'image')}
            error={form.errorAt('type') ?? null}
            data={[
              { value: 'image', label: metadataTexts.image },
              { value: 'video', label: metadataTexts.video },
            ]}
          />
          {type === 'video' && (
            <DurationField
              label={metadataTexts.duration}
              value={duration}
              onChange={(seconds) => form.set('duration', seconds)}
              error={form.errorAt('duration')}
            />
          )}
          <div className={styles.actions}>
            <Button type="submit" variant="default" loading={form.pending}>
              {metadataTexts.save}
            </Button>
            <p className={styles.saved} role="status">
              {form.answer && metadataTexts.saved}
            </p>
          </div>
          <div className={styles.failure}>
            <FormError>{form.error}</FormError>
          </div>
        </fieldset>
      </ContractForm>
    </li>
  )
}

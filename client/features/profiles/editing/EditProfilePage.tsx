import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { useState } from 'react'
import { profileRoutes } from '../../../../contract/routes/profiles/profiles.ts'
import { cleanForumUsername } from '../../../../contract/usernames.ts'
import { paths } from '../../../lib/paths.ts'
import { type Person, useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FieldPair } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { ProgressBar } from '../../../ui/ProgressBar.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { useEditProfile } from './api.ts'
import styles from './editing.module.css'
import { LinksEditor } from './LinksEditor.tsx'
import { PictureField } from './PictureField.tsx'
import {
  changeOf,
  filledLinks,
  type ProfileForm,
  profileChanged,
  profileFormOf,
  rowPath,
} from './profile-form.ts'
import { editingTexts as texts } from './texts.ts'

/** Name, pictures, words and links of one's own profile (docs/product.md, Pages and Texts). Nothing typed is lost when it fails. */
export function Component() {
  const person = useCurrentUser()
  return (
    <Page title={texts.title} lead={texts.lead} width="text">
      <ReauthenticationProvider>
        <EditProfile key={person._id} person={person} />
      </ReauthenticationProvider>
    </Page>
  )
}

function EditProfile({ person }: { person: Person }) {
  const edit = useEditProfile(useReauthentication())
  /** Which part of the pictures is sent, 0 to 1; null while none are on their way. */
  const [sent, setSent] = useState<number | null>(null)
  const form = useContractForm(profileRoutes.editProfile, {
    initial: profileFormOf(person),
    body: (form, saved) => ({ id: person._id, ...changeOf(form, saved) }),
    pathOf: (path, { links }) => rowPath(path, links),
    send: (body, { profileImage, profileHeroImage }) => {
      const chosen = Object.entries({ profileImage, profileHeroImage })
      const pictures = Object.fromEntries(
        chosen.flatMap(([name, picture]) => (picture ? [[name, picture]] : [])),
      )
      setSent(profileImage || profileHeroImage ? 0 : null)
      return edit.mutateAsync({ body, pictures, onProgress: setSent })
    },
    afterSaved: (_answer, sent, now) => ({ saved: asKept(sent), values: asKept(now) }),
    isSame: (one, other) => !profileChanged(one, other),
    lost: texts.lost,
  })

  return (
    <ContractForm form={form}>
      <PictureField
        kind="hero"
        current={person.profileHeroImage}
        name={person.username}
        chosen={form.values.profileHeroImage}
        onChosen={(picture) => form.set('profileHeroImage', picture)}
        error={form.errorAt('profileHeroImage')}
      />
      <PictureField
        kind="avatar"
        current={person.profileImage}
        name={person.username}
        chosen={form.values.profileImage}
        onChosen={(picture) => form.set('profileImage', picture)}
        error={form.errorAt('profileImage')}
      />
      <FieldPair>
        <TextField label={texts.firstName} autoComplete="given-name" required {...form.field('firstName')} />
        <TextField label={texts.lastName} autoComplete="family-name" {...form.field('lastName')} />
      </FieldPair>
      <FieldPair>
        <TextField
          label={texts.username}
          autoComplete="nickname"
          required
          description={texts.usernameHint}
          {...form.field('username')}
        />
        <TextField
          label={texts.forumUsername}
          prefix="/u/"
          required
          description={texts.forumUsernameHint}
          {...form.field('redditUsername')}
          onChange={(typed) => form.set('redditUsername', cleanForumUsername(typed))}
        />
      </FieldPair>
      <Switch
        label={texts.recognizable}
        description={texts.recognizableHint}
        checked={form.values.recognizable}
        size="md"
        onChange={(event) => form.set('recognizable', event.currentTarget.checked)}
      />
      <TextField
        label={texts.email}
        type="email"
        autoComplete="email"
        required
        description={texts.emailHint}
        {...form.field('email')}
      />
      <TextAreaField label={texts.bio} {...form.field('bio')} />
      {person.isCreator && (
        <>
          <TextAreaField label={texts.menu} description={texts.menuHint} {...form.field('menu')} />
          <TextAreaField label={texts.limits} description={texts.limitsHint} {...form.field('limits')} />
        </>
      )}
      <LinksEditor
        links={form.values.links}
        errorAt={form.errorAt}
        onChange={(links) => form.set('links', links)}
      />
      {form.pending && sent !== null && (
        <ProgressBar label={texts.uploading} percent={sent < 1 ? sent * 100 : null} />
      )}
      <FormError>{form.error}</FormError>
      <div className={styles.save}>
        <Button type="submit" size="lg" loading={form.pending}>
          {texts.save}
        </Button>
        <LinkButton to={paths.profile(person.username)} variant="default" size="lg">
          {texts.seeProfile}
        </LinkButton>
      </div>
      <p role="status" className={styles.done}>
        {form.answer?.message}
        {form.answer?.verifiedEmail === 'unverified' && ` ${texts.confirmEmail}`}
      </p>
    </ContractForm>
  )
}

/** As it is once it was saved: the pictures were taken, and rows that were left empty are gone. */
function asKept(form: ProfileForm): ProfileForm {
  return { ...form, links: filledLinks(form.links), profileImage: null, profileHeroImage: null }
}

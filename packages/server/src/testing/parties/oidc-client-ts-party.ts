import {
  InMemoryWebStorage,
  OidcClient,
  type RefreshState,
  type SigninResponse,
  WebStorageStateStore,
} from 'oidc-client-ts'
import { answerFields, type Party, type PartyTokens, type PartyWishes } from './party.ts'

/** An application using `oidc-client-ts`, whose authors are not those of the provider's library. */
export async function oidcClientTsParty({ issuer, client, proof }: PartyWishes): Promise<Party> {
  const library = new OidcClient({
    authority: issuer,
    client_id: client.id,
    ...(proof !== 'none' && { client_secret: client.secret }),
    client_authentication: proof === 'basic' ? 'client_secret_basic' : 'client_secret_post',
    redirect_uri: client.redirectUri,
    scope: 'openid email',
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  })
  return {
    async login(parameters = {}) {
      const { scope, response_mode, max_age, ...extraQueryParams } = parameters
      const { url, state } = await library.createSigninRequest({
        ...{ nonce: crypto.randomUUID(), extraQueryParams },
        ...(scope !== undefined && { scope }),
        // of its typed modes, only the query is for pages; a server may require a form
        ...(response_mode !== undefined && { extraQueryParams: { ...extraQueryParams, response_mode } }),
        ...(max_age !== undefined && { max_age: Number(max_age) }),
      })
      return {
        address: new URL(url),
        finish: async (answer) => {
          const fields = answerFields(answer)
          if (fields.get('iss') !== issuer || fields.get('state') !== state.id) throw new Error('wrong state')
          return tokensOf(await library.processSigninResponse(`${client.redirectUri}?${fields.toString()}`))
        },
      }
    },
    refresh: async ({ refreshToken, idToken, claims }) => {
      // what the library stores of a session
      const state = { refresh_token: refreshToken, id_token: idToken, profile: claims, scope: 'openid email' }
      return tokensOf(await library.useRefreshToken({ state: state as unknown as RefreshState }))
    },
    userInfo: async ({ accessToken }) => {
      const endpoint = await library.metadataService.getUserInfoEndpoint()
      const answer = await fetch(endpoint, { headers: { authorization: `Bearer ${accessToken}` } })
      return (await answer.json()) as Record<string, unknown>
    },
    revoke: (token) => library.revokeToken(token),
    signOut: async (idToken, returnTo, state) => {
      const { url } = await library.createSignoutRequest({
        ...{ id_token_hint: idToken, post_logout_redirect_uri: returnTo, url_state: state, state: 'kept' },
      })
      return new URL(url)
    },
  }
}

function tokensOf({ access_token, refresh_token = '', id_token = '', profile }: SigninResponse): PartyTokens {
  return { accessToken: access_token, refreshToken: refresh_token, idToken: id_token, claims: { ...profile } }
}

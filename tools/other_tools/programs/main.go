// Calls every operation with the client that openapi-generator made for Go.
package main

import (
	"context"
	"fmt"
	"os"

	chat "local/chat/client"
)

func show(name string, value any, err error) {
	if err != nil {
		fmt.Printf("%s\t!%s\n", name, err)
	} else {
		fmt.Printf("%s\t%v\n", name, value)
	}
}

func main() {
	baseUrl, key, token, path := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	configuration := chat.NewConfiguration()
	configuration.Servers = chat.ServerConfigurations{{URL: baseUrl}}
	client := chat.NewAPIClient(configuration)
	keys := map[string]chat.APIKey{"apikey": {Key: key}}
	ctx := context.WithValue(context.Background(), chat.ContextAPIKeys, keys)

	got, _, err := client.KeywordsAPI.GetKeywordList(ctx, "profanity-list").Execute()
	show("get", got.GetData().Id, err)
	_, _, err = client.KeywordsAPI.UpdateKeywordList(ctx, "words").Category(chat.WORD).SearchTerms("spam,scam").Execute()
	show("words", "sent", err)
	_, _, err = client.KeywordsAPI.UpdateKeywordList(ctx, "patterns").Category(chat.PATTERN).SearchTerms("[0-9]{4}").Execute()
	show("patterns", "sent", err)
	sentences := []string{"Go, now.", "Leave."}
	_, _, err = client.KeywordsAPI.UpdateKeywordList(ctx, "sentences").Category(chat.SENTENCE_SIMILARITY).DisallowedSentences(sentences).Execute()
	show("sentences", "sent", err)
	file, err := os.Open(path)
	if err == nil {
		_, _, err = client.KeywordsAPI.UpdateKeywordList(ctx, "file").Category(chat.WORD).SearchTerms("").File(file).Execute()
	}
	show("file", "sent", err)
	messages, _, err := client.ReviewedMessagesAPI.ListReviewedMessages(ctx).Limit(2).Execute()
	show("messages", len(messages.GetData()), err)
	roles, _, err := client.RolesAPI.ListRoles(ctx).Page(2).PerPage(10).Execute()
	show("roles", len(roles.GetData()), err)
	deleted, _, err := client.AuthTokensAPI.DeleteAuthToken(ctx, "alice", token).Execute()
	deletion := deleted.GetData()
	show("delete", deletion.Success, err)
}

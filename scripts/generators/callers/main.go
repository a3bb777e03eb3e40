// Calls every operation with a client of openapi-generator's go. Arguments: address, file of the calls.
// Environment: TIPOFF_API_KEY.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	client "tipoff.example/api/client"
)

type parameter struct {
	Name  string          `json:"name"`
	In    string          `json:"in"`
	Value json.RawMessage `json:"value"`
}

type call struct {
	Operation  string          `json:"operation"`
	Tag        string          `json:"tag"`
	Parameters []parameter     `json:"parameters"`
	Body       json.RawMessage `json:"body"`
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	api := client.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("TIPOFF_API_KEY"))
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	var calls []call
	if err := json.Unmarshal(text, &calls); err != nil {
		panic(err)
	}
	for _, each := range calls {
		report(each.Operation, func() (any, error) { return run(api, ctx, each) })
	}
}

func report(operation string, run func() (any, error)) {
	line := map[string]any{"operation": operation}
	defer func() {
		if fault := recover(); fault != nil {
			line = map[string]any{"operation": operation, "error": fmt.Sprint(fault)}
		}
		text, _ := json.Marshal(line)
		fmt.Println(string(text))
	}()
	parsed, err := run()
	if err != nil {
		line["error"] = err.Error()
		return
	}
	line["parsed"] = parsed
}

func run(api *client.APIClient, ctx context.Context, each call) (any, error) {
	service := reflect.ValueOf(api).Elem().FieldByName(each.Tag + "API")
	method := service.MethodByName(pascal(each.Operation))
	arguments := []reflect.Value{reflect.ValueOf(ctx)}
	names := map[string]bool{"Execute": true}
	for _, one := range each.Parameters {
		names[pascal(one.Name)] = true
		if one.In == "path" {
			arguments = append(arguments, parsedAs(method.Type().In(len(arguments)), one.Value))
		}
	}
	request := method.Call(arguments)[0]
	for _, one := range each.Parameters {
		if one.In != "path" && string(one.Value) != "null" {
			setter := request.MethodByName(pascal(one.Name))
			request = setter.Call([]reflect.Value{parsedAs(setter.Type().In(0), one.Value)})[0]
		}
	}
	if each.Body != nil {
		request = withBody(request, names, each.Body)
	}
	results := request.MethodByName("Execute").Call(nil)
	if err, _ := results[len(results)-1].Interface().(error); err != nil {
		if fault, isAnswer := err.(*client.GenericOpenAPIError); isAnswer {
			return nil, fmt.Errorf("%w: %s", err, fault.Body())
		}
		return nil, err
	}
	if len(results) < 3 {
		return nil, nil
	}
	return results[0].Interface(), nil
}

// The method of the body has the name of its schema.
func withBody(request reflect.Value, names map[string]bool, body json.RawMessage) reflect.Value {
	for index := 0; index < request.NumMethod(); index++ {
		if !names[request.Type().Method(index).Name] {
			setter := request.Method(index)
			return setter.Call([]reflect.Value{parsedAs(setter.Type().In(0), body)})[0]
		}
	}
	panic("no method takes the body")
}

func parsedAs(kind reflect.Type, text json.RawMessage) reflect.Value {
	value := reflect.New(kind)
	if err := json.Unmarshal(text, value.Interface()); err != nil {
		panic(err)
	}
	return value.Elem()
}

func pascal(name string) string {
	parts := strings.FieldsFunc(name, func(letter rune) bool { return letter == '_' || letter == '-' })
	for index, part := range parts {
		parts[index] = strings.ToUpper(part[:1]) + part[1:]
	}
	return strings.Join(parts, "")
}

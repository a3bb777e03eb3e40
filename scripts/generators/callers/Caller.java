import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.JSON;

/** Calls every operation with a client of openapi-generator's java. Arguments: address, file of the calls. Environment: TIPOFF_API_KEY. */
public final class Caller {
  private static final String PACKAGE = "org.openapitools.client.api.";

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(arguments[0]);
    client.setBearerToken(System.getenv("TIPOFF_API_KEY"));
    Gson gson = JSON.getGson();
    for (JsonElement each : gson.fromJson(Files.readString(Path.of(arguments[1])), JsonArray.class)) {
      JsonObject call = each.getAsJsonObject();
      JsonObject line = new JsonObject();
      line.add("operation", call.get("operation"));
      try {
        line.add("parsed", gson.toJsonTree(run(client, gson, call)));
      } catch (InvocationTargetException fault) {
        line.addProperty("error", String.valueOf(fault.getCause()));
      } catch (Exception fault) {
        line.addProperty("error", String.valueOf(fault));
      }
      System.out.println(line);
    }
    // Idle connections keep threads.
    System.exit(0);
  }

  private static Object run(ApiClient client, Gson gson, JsonObject call) throws Exception {
    Class<?> api = Class.forName(PACKAGE + call.get("tag").getAsString() + "Api");
    List<JsonElement> values = new ArrayList<>();
    call.getAsJsonArray("parameters").forEach(parameter -> values.add(parameter.getAsJsonObject().get("value")));
    if (call.has("body")) values.add(call.get("bodyPosition").getAsInt(), call.get("body"));
    Method method =
        Arrays.stream(api.getMethods())
            .filter(one -> one.getName().equals(call.get("operation").getAsString()))
            .filter(one -> one.getParameterCount() >= values.size())
            .min(Comparator.comparingInt(Method::getParameterCount))
            .orElseThrow();
    Object[] given = new Object[method.getParameterCount()];
    for (int index = 0; index < values.size(); index++)
      given[index] = gson.fromJson(values.get(index), method.getGenericParameterTypes()[index]);
    return method.invoke(api.getConstructor(ApiClient.class).newInstance(client), given);
  }
}
